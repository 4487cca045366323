// Makes the calls of a published client of light-wallet servers, unchanged: it reads calls from its input, one JSON
// value a line with the name of a method and its arguments, and writes their results, or the message of an error.
//
// node lws.js SERVER_URL

const readline = require("node:readline");
const Client = require("@mymonero/mymonero-lws-client");

const client = new Client({ url: process.argv[2] });
readline.createInterface({ input: process.stdin }).on("line", async (line) => {
  const { method, args } = JSON.parse(line);
  let answer;
  try {
    answer = { answer: await client[method](...args) };
  } catch (err) {
    answer = { refused: err.message };
  }
  process.stdout.write(`${JSON.stringify(answer)}\n`);
});
