import type { extension as english } from "../en/extension.js";
import type { Translated } from "../types.js";

export const extension: Translated<typeof english> = {
  "asked.allow": "許可",
  "asked.connect": "接続",
  "asked.connectAbout":
    "サイトには、そのサイト専用に作られたウォレット {wallet} の新しいサブアドレスが渡されます。残高、履歴、他のアドレスは見えません。",
  "asked.connectTitle": "このサイトを接続しますか？",
  "asked.final": "支払いは取り消せません。",
  "asked.linkRecipient": "受取人（リンクによる）",
  "asked.linkSays": "リンクの記載",
  "asked.ownAddress": "それは自分のアドレスです",
  "asked.ownAddressAbout":
    "サイトはこのアドレスを知らず、証明するとあなたのものだと明かすことになります。リクエストを拒否してください。",
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
  "consent.makeFirst":
    "このサイトからウォレットへのリクエストが届きました。先にウォレットを作成するか復元してください。その間、リクエストはここで待っています。",
  "consent.noWalletYet": "ウォレットがまだありません",
  "consent.notNow": "後で",
  "consent.oneMoment": "お待ちください",
  "consent.otherNetworks":
    "他のネットワークのウォレットはここに表示されません。glim の設定でネットワークを選んでください。",
  "consent.passwordOf": "{name} のパスワード",
  "consent.setUpWallet": "ウォレットを用意する",
  "consent.unlockFirst": "このサイトからリクエストが届きました。ウォレットのロックを解除して確認してください。",
  "consent.walletMissing":
    "このサイトは {network} のウォレット {wallet} に接続されています。同じ名前でそのウォレットを復元するか、サイトを切断してもう一度リクエストさせてください。",
  "consent.walletMissingTitle": "このサイトのウォレットがここにありません",
  "link.damaged":
    "このサイトでクリックした支払いリンクは、不完全か壊れています。別のリンクまたはアドレスをサイトに求めてください。",
  "link.howMuch": "いくら支払いますか？",
  "link.howMuchAbout": "このサイトで支払いリンクをクリックしました。金額はあなたが決めます。",
  "link.makeFirst":
    "このサイトで支払いリンクをクリックしました。先にウォレットを作成または復元してください。その間、支払いはここで待機します。",
  "link.otherNetwork":
    "このサイトでクリックした支払いリンクのアドレスは、ウォレットが使う {network} のものではありません。",
  "link.sentAbout": "支払ったことは、ウォレットからサイトには伝わりません。サイトは着金したときに支払いを確認します。",
  "link.title": "支払いリンク",
  "link.unlockFirst":
    "このサイトで支払いリンクをクリックしました。支払いを見るにはウォレットのロックを解除してください。",
  "link.unusable": "このリンクには支払えません",
  "link.want": "サイトの支払いリンクをこのウォレットで開く",
  "link.wantAbout":
    "monero: で始まるリンクをクリックすると、支払いがウォレットのウィンドウに表示され、承認または拒否できます。どちらを選んだかはサイトには伝わりません。",
  "names.alikeAbout": "名前 {name} は、接続済みのサイト {other} の名前に似ています。",
  "names.foreignAbout": "名前は別の文字体系で書かれ、見た目が同じ文字を使っています。",
  "names.insideAbout":
    "名前 {name} は接続済みのサイト {other} の名前を含みますが、所有者を決めるのは名前の最後の部分です。",
  "names.isNot": "このサイトは {other} ではありません",
  "names.mixed": "このサイトの名前には複数の文字体系が混ざっています",
  "names.mixedAbout": "ブラウザーでは {name} と表示されることがあります。一部の文字は別の文字体系の文字に似ています。",
  "names.nearAbout": "名前 {name} は、接続済みのサイト {other} の名前と 1 文字だけ違います。",
  "sites.about":
    "各サイトは専用に作られたサブアドレスを 1 つだけ知り、支払い、証明、署名を求めることができます。あなたの同意なしには何も行われません。",
  "sites.connection": "ウォレット {wallet}、{network}、{date} から",
  "sites.disconnect": "切断",
  "sites.none": "接続中のサイトはありません。",
};
