import type { desktop as english } from "../en/desktop.js";
import type { Translated } from "../types.js";

export const desktop: Translated<typeof english> = {
  "desktop.about":
    "Uma carteira Monero que funciona no seu computador. Ela encontra seus pagamentos e assina com suas chaves aqui mesmo. Só precisa de um nó para ler a cadeia e enviar.",
  "desktop.ended": "O glim foi encerrado",
  "desktop.endedNext":
    "Suas carteiras estão fechadas. Inicie o glim de novo para abri-las. Você pode fechar esta página.",
  "desktop.files": "Suas carteiras são arquivos neste computador",
  "desktop.filesAbout":
    "Elas estão na pasta {folder}. Os comandos do glim também podem abri-las enquanto não estiverem abertas aqui.",
  "desktop.footer": "Suas chaves ficam neste computador. Ninguém mais pode restaurá-las para você.",
  "desktop.quit": "Sair do glim",
  "desktop.quitAbout": "O glim continua varrendo quando você fecha esta página. Sair fecha todas as carteiras.",
  "desktop.used": "Este endereço já foi usado",
  "desktop.usedNext":
    "Um endereço do glim abre uma página, uma única vez. Inicie o glim de novo para obter outro; se o glim já estiver em execução, ele continua.",
};
