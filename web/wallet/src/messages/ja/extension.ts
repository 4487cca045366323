import type { extension as english } from "../en/extension.js";
import type { Translated } from "../types.js";

export const extension: Translated<typeof english> = {
  "asked.allow": "許可",
  "asked.connect": "接続",
  "asked.connectTitle": "このサイトを接続しますか？",
  "asked.final": "支払いは取り消せません。",
  "asked.ownAddress": "それは自分のアドレスです",
  "asked.paidTo": "支払先",
  "asked.payAmount": "{amount} XMR を支払う",
  "asked.payTitle": "この金額を支払いますか？",
  "asked.prove": "証明する",
  "asked.proveAbout": "この支払いをあなたが行ったことと、このアドレスに支払った額がサイトに伝わります。",
  "asked.proveTitle": "支払いを証明しますか？",
  "asked.scroll": "続けるには、リクエスト全体をスクロールしてください。",
  "asked.signAbout": "このサイトが知っているサブアドレスのキーでメッセージに署名します。",
  "asked.signTitle": "メッセージに署名しますか？",
  "asked.siteSays": "サイトからの説明",
  "asked.tooLittle": "ウォレットの残高がこの金額と手数料に足りません。先に資金を受け取るか、拒否してください。",
  "asked.walletNamed": "ウォレット {name}",
  "consent.alreadyAnswered": "このリクエストにはすでに回答済みです",
  "consent.notNow": "後で",
  "consent.noWalletYet": "ウォレットがまだありません",
  "consent.oneMoment": "お待ちください",
  "consent.otherNetworks":
    "他のネットワークのウォレットはここに表示されません。glim の設定でネットワークを選んでください。",
  "consent.passwordOf": "{name} のパスワード",
  "consent.setUpWallet": "ウォレットを用意する",
  "consent.unlockFirst": "このサイトからリクエストが届きました。ウォレットのロックを解除して確認してください。",
  "consent.walletMissingTitle": "このサイトのウォレットがここにありません",
  "sites.connection": "ウォレット {wallet}、{network}、{date} から",
  "sites.disconnect": "切断",
  "sites.none": "接続中のサイトはありません。",
  "asked.connectAbout":
    "サイトには、そのサイト専用に作られたウォレット {wallet} の新しいサブアドレスが渡されます。残高、履歴、他のアドレスは見えません。",
  "asked.ownAddressAbout":
    "サイトはこのアドレスを知らず、証明するとあなたのものだと明かすことになります。リクエストを拒否してください。",
  "consent.makeFirst":
    "このサイトからウォレットへのリクエストが届きました。先にウォレットを作成するか復元してください。その間、リクエストはここで待っています。",
  "consent.walletMissing":
    "このサイトは {network} のウォレット {wallet} に接続されています。同じ名前でそのウォレットを復元するか、サイトを切断してもう一度リクエストさせてください。",
  "sites.about":
    "各サイトは専用に作られたサブアドレスを 1 つだけ知り、支払い、証明、署名を求めることができます。あなたの同意なしには何も行われません。",
};
