import type { CreatedOwnKey, KeyList } from '../../features/account/index.ts'
import {
  badge,
  copyable,
  defineTable,
  emptyState,
  field,
  fileOnly,
  form,
  hidden,
  noticeBox,
  number,
  time,
  viewOfForm,
  wasSentBelow,
} from '../components/index.ts'
import { type Content, type Html, html } from '../html.ts'
import type { Page, Shown, View } from '../page.ts'

const within = '/dashboard/keys'

type Key = KeyList['keys'][number]

/** Returns null without a name, or for a name of blanks, which commands can create. */
const keyNameOf = ({ name }: Key) => (name === null || name.trim() === '' ? null : name)
/** Adds the last four characters, because several keys can have one name. */
const keyLabel = (key: Key) => `${keyNameOf(key) ?? 'the key'} …${key.last_four}`

function keyCell(key: Key): Content {
  const expires = key.expires_at !== null && html`, expires ${time(key.expires_at)}`
  const name = keyNameOf(key)
  return html`${name === null ? 'without a name' : html`<bdi>${name}</bdi>`} <code>…${key.last_four}</code>
<p class="hint">Created ${time(key.created_at)}${expires}</p>`
}

function keyState(key: Key): Content {
  if (key.is_expired) return badge('bad', '✕ expired')
  if (key.safe_to_delete) return badge('good', '✓ safe to delete')
  if (key.replaced_at === null) return badge('good', 'active')
  const requests = key.requests_since_replaced ?? 0
  const calls =
    requests === 0
      ? 'No call since.'
      : requests === 1
        ? 'One call since,'
        : `${number(requests)} calls since, the last`
  const last = requests > 0 && time(key.last_used_at)
  return html`${badge('warn', '! replaced')} <p class="hint">${calls} ${last}</p>`
}

function keyChanges(key: Key, nonce: string, view: View): Content {
  const path = `${within}/${encodeURIComponent(key.key_ref)}`
  const expiry = key.expires_at !== null && ' and without an expiry'
  const rotate = html`<p class="hint">Rotate: a new key with the same name${expiry}.
This one works until you delete it.</p>
${form(
  { action: `${path}/rotate`, submit: 'Rotate', tone: 'plain', name: `Rotate ${keyLabel(key)}` },
  hidden('nonce', nonce),
)}`
  return html`<details${wasSentBelow(view, path) && html` open`}><summary>Change</summary>
${key.replaced_at === null && rotate}
<p class="hint">Delete: programs that use this key get 401 within 5 seconds. It cannot be undone.</p>
${form({
  action: `${path}/delete`,
  submit: 'Delete the key',
  tone: 'danger',
  name: `Delete ${keyLabel(key)}`,
  confirm: `Programs that use ${keyLabel(key)} will be refused. Delete it?`,
})}</details>`
}

function createForm(view: View, { nonce, keys_max: max }: KeyList): Html {
  const ofForm = viewOfForm(view, within)
  return html`<section class="card" aria-labelledby="create"><h2 id="create">A new key</h2>
${form(
  { action: within, submit: 'Create the key', name: 'A new key' },
  field(ofForm, {
    name: 'name',
    label: 'Name',
    required: true,
    hint: 'Who or what uses it, such as “billing server”.',
  }),
  field(ofForm, {
    name: 'expires',
    label: 'Expires on (optional)',
    type: 'date',
    hint: `The first day on which it is refused, UTC. An account has at most ${max} keys.`,
  }),
  hidden('nonce', nonce),
)}</section>`
}

const stateOf = (key: Key) =>
  key.is_expired ? 'expired' : key.safe_to_delete ? 'safe to delete' : key.replaced_at ? 'replaced' : 'active'

const keyTable = defineTable<KeyList, Key>('keys', ({ keys, nonce }, view) => ({
  name: 'Keys',
  columns: [
    { name: 'Key', cell: keyCell, key: 'name' },
    ...fileOnly('key_ref', 'last_four', 'created_at', 'expires_at'),
    { name: 'State', cell: keyState, key: 'state', value: stateOf, isFacet: true },
    { name: 'Last used', cell: row => time(row.last_used_at), key: 'last_used_at' },
    { name: 'Requests', cell: row => number(row.requests), key: 'requests', isNumber: true },
    { name: 'Credits', cell: row => number(row.credits), key: 'credits', isNumber: true },
    { name: 'Changes', cell: row => keyChanges(row, nonce, view), isUnnamed: true },
  ],
  rows: keys,
  empty: emptyState('No key yet.', 'Create the first one below.'),
}))

const keysPage: Page<KeyList> = {
  title: 'Keys',
  lead: 'A program sends a key with each request. A key opens the whole account.',
  tables: [keyTable],
  body(list, view) {
    return html`${keyTable.draw(list, view)}
<p class="hint">Requests and credits are those of the last ${list.spend_days} days.</p>
${createForm(view, list)}`
  },
}

const createdPage: Page<CreatedOwnKey> = {
  title: ({ name }) => (name === null ? 'The new key' : `The key “${name}”`),
  within,
  body({ api_key: key }, { baseUrl }) {
    if (key === null)
      return html`${noticeBox('warn', 'This key was created already, and is not shown again.')}
<p>If you did not copy it, delete it and create another. <a href="${within}">All keys</a></p>`
    return html`${noticeBox('good', 'The key was created. Copy it now: it is shown only once.')}
<div data-new-key>${copyable(key, 'The key')}</div>
<h2>Try it</h2>
${copyable(`curl -H 'X-API-Key: ${key}' '${baseUrl}/v1/account'`, 'curl command')}
<p>A key opens the whole account: keep it out of pages, apps and repositories.
<a href="${within}">I have copied it</a></p>`
  },
}

const rotatedPage: Page<CreatedOwnKey> = {
  ...createdPage,
  body: (created, view) => html`${createdPage.body(created, view)}
<p>The key that it replaces works until you delete it. The list of keys says when no call has come for a day:
then it is safe to delete.</p>`,
}

export const keyPages: Readonly<Record<string, Shown>> = {
  list_keys: keysPage,
  create_key: { ...createdPage, form: 'list_keys' },
  rotate_key: { ...rotatedPage, form: 'list_keys' },
  delete_key: { next: () => within, form: 'list_keys' },
}
