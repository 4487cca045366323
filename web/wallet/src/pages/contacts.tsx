import { useState } from "preact/hooks";
import { Copy } from "../components/address.js";
import { Button, IconButton } from "../components/button.js";
import { Dialog } from "../components/dialog.js";
import { TextField } from "../components/field.js";
import { Form } from "../components/form.js";
import { Failed } from "../components/notice.js";
import { Empty, Head } from "../components/page.js";
import { Paste } from "../components/sharing.js";
import { useOpen, useWallet, useWork } from "../lib/context.js";
import type { AddressBookEntry } from "../lib/engine.js";
import { payee, short } from "../lib/payee.js";
import { t } from "../lib/i18n.js";

/** The address book. */
export function Contacts() {
  const { live, router } = useOpen();
  const [text, setText] = useState("");
  const [editing, edit] = useState<AddressBookEntry | "new" | undefined>(undefined);
  const book = useWallet((l) => l.wallet.rpc.getAddressBook());
  const all = book.data?.entries ?? [];
  const word = text.trim().toLowerCase();
  const found = all.filter((e) => e.description.toLowerCase().includes(word) || e.address.toLowerCase().includes(word));
  return (
    <div class="stack">
      <Head title={t("common.addressBook")}>
        <Button small icon="plus" onClick={() => edit("new")}>
          {t("contacts.newEntry")}
        </Button>
      </Head>
      {all.length > 4 && <TextField label={t("common.search")} type="search" value={text} onValue={setText} />}
      <Failed error={book.error} />
      <ul class="list">
        {book.data && found.length === 0 && (
          <li>
            <Empty title={all.length === 0 ? t("common.noAddressesYet") : t("common.nothingFound")}>
              {all.length === 0 && <p>{t("contacts.empty")}</p>}
            </Empty>
          </li>
        )}
        {found.map((e) => (
          <li key={e.index.toString()} class="pick">
            <div class="item">
              <span class="grow">
                <span class="title">{e.description || t("common.noName")}</span>
                <span class="sub mono">{short(e.address, 10, 8)}</span>
              </span>
            </div>
            <Copy text={e.address} what={t("common.address")} />
            <IconButton
              small
              icon="send"
              label={t("contacts.pay", { name: e.description || short(e.address) })}
              onClick={() => router.go("send", e.address)}
            />
            <IconButton
              small
              icon="edit"
              label={t("contacts.edit", { name: e.description || short(e.address) })}
              onClick={() => edit(e)}
            />
          </li>
        ))}
      </ul>
      {editing && (
        <Edit
          entry={editing}
          onDone={(changed) => {
            edit(undefined);
            if (changed) live.touch();
          }}
        />
      )}
    </div>
  );
}

/** Returns the address in a pasted text: of a payment link, the part before the parameters. */
function pasted(text: string): string {
  const p = payee(text);
  if (p.kind === "uri") return p.text.slice("monero:".length).split("?", 1)[0] ?? "";
  return p.kind === "empty" ? "" : p.text;
}

function Edit({ entry, onDone }: { entry: AddressBookEntry | "new"; onDone(changed: boolean): void }) {
  const { live } = useOpen();
  const rpc = live.wallet.rpc;
  const old = entry === "new" ? undefined : entry;
  const [name, setName] = useState(old?.description ?? "");
  const [address, setAddress] = useState(old?.address ?? "");
  const work = useWork();
  const removing = useWork();
  return (
    <Dialog title={old ? t("contacts.editEntry") : t("contacts.newEntry")} onClose={() => onDone(false)}>
      <Form
        busy={work.busy || removing.busy}
        class="stack"
        onSubmit={(e) => {
          e.preventDefault();
          void work.run(async () => {
            const description = name.trim();
            const text = address.replace(/\s+/g, "");
            if (old)
              await rpc.editAddressBook({
                index: old.index,
                set_address: true,
                address: text,
                set_description: true,
                description,
              });
            else await rpc.addAddressBook({ address: text, description });
            onDone(true);
          });
        }}
      >
        <TextField label={t("contacts.name")} value={name} onValue={setName} maxLength={200} autoFocus />
        <TextField label={t("common.address")} mono rows={4} value={address} onValue={setAddress} />
        <Paste what={t("common.address")} onText={(text) => setAddress(pasted(text))} />
        <Failed error={work.error ?? removing.error} />
        <div class="row between">
          <Button look="primary" type="submit" busy={work.busy} disabled={address.trim() === ""}>
            {t("common.save")}
          </Button>
          {old && (
            <Button
              icon="trash"
              busy={removing.busy}
              onClick={() =>
                void removing.run(async () => {
                  await rpc.deleteAddressBook({ index: old.index });
                  onDone(true);
                })
              }
            >
              {t("common.remove")}
            </Button>
          )}
        </div>
      </Form>
    </Dialog>
  );
}
