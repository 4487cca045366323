import type { desktop as english } from "../en/desktop.js";
import type { Translated } from "../types.js";

export const desktop: Translated<typeof english> = {
  "desktop.about":
    "あなたのコンピューターで動く Monero ウォレットです。支払いの検出も署名も、あなたのキーを使ってここで行います。ノードが必要なのは、チェーンの読み取りと送信だけです。",
  "desktop.ended": "glim は終了しました",
  "desktop.endedNext":
    "ウォレットは閉じられています。開くには glim をもう一度起動してください。このページは閉じてかまいません。",
  "desktop.files": "ウォレットはこのコンピューターのファイルです",
  "desktop.filesAbout": "フォルダー {folder} にあります。ここで開いていない間は、glim のコマンドでも開けます。",
  "desktop.footer": "キーはこのコンピューターの中だけにあります。あなたの代わりに復元できる人はいません。",
  "desktop.quit": "glim を終了",
  "desktop.quitAbout": "このページを閉じても glim はスキャンを続けます。終了するとすべてのウォレットが閉じられます。",
  "desktop.used": "このアドレスは使用済みです",
  "desktop.usedNext":
    "glim のアドレスは一度だけ、一つのページを開けます。glim をもう一度起動すると新しいアドレスで開きます。動作中の glim はそのまま続きます。",
};
