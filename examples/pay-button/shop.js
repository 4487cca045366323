// A shop that is paid with the button. What a wallet says is a hint: deliver when your own wallet or node sees the
// payment, as in ../watch-incoming.
const button = document.querySelector("monero-pay-button");
const log = (text) => document.querySelector("pre").append(`${text}\n`);

button.addEventListener("requested", ({ detail: { amount } }) => log(`asked for ${amount} atomic units`));
button.addEventListener("paid", ({ detail: { txids, wallet } }) => log(`${wallet} has sent ${txids.join(", ")}`));
button.addEventListener("refused", ({ detail: { wallet } }) => log(`declined in ${wallet}`));
button.addEventListener("error", ({ detail: { message } }) => log(`not possible: ${message}`));
