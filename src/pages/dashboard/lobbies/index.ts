import type { ListedLobbyRuns } from '../../../features/lobbies/index.ts'
import {
  cursorPages,
  defineTable,
  emptyState,
  field,
  fileOnly,
  noticeBox,
  number,
  offerForm,
  time,
} from '../../components/index.ts'
import { type Html, html } from '../../html.ts'
import type { Page, Shown, View } from '../../page.ts'
import { lobbiesPath, lobbyPathOf, runPage, runStates } from './run.ts'

type Listed = ListedLobbyRuns['lobby_runs'][number]

const runTable = defineTable<ListedLobbyRuns, Listed>(
  'lobby-runs',
  ({ lobby_runs: rows, next_cursor }, view) => ({
    name: 'Runs',
    columns: [
      {
        name: 'Site',
        cell: row => html`<a href="${lobbyPathOf(row.lobby_run_ref)}">${row.domain}</a>`,
        key: 'domain',
        isFacet: true,
      },
      ...fileOnly('lobby_run_ref', 'url', 'reason'),
      { name: 'State', cell: row => runStates[row.status], key: 'status', isFacet: true },
      { name: 'Device', cell: row => row.device, key: 'device', isFacet: true },
      { name: 'Requested', cell: row => time(row.requested_at), key: 'requested_at' },
      { name: 'Titles', cell: row => number(row.titles_seen), key: 'titles_seen', isNumber: true },
      { name: 'Credits', cell: row => number(row.credits_charged), key: 'credits_charged', isNumber: true },
    ],
    rows,
    empty: emptyState('No lobby yet.', 'See where games stand in the lobby of a casino.'),
    pages: cursorPages(view.address, 'after', next_cursor),
  }),
)

const listPage: Page<ListedLobbyRuns> = {
  title: 'Lobbies',
  lead: 'See where the games of a supplier stand in the lobby of a casino, and what share of it they have.',
  tables: [runTable],
  body: (list, view) => html`<section class="card" aria-labelledby="see"><h2 id="see">See a lobby</h2>
${list.rendering.state === 'on' ? runForm(list, view) : noticeBox('warn', noBrowser)}</section>
${runTable.draw(list, view)}`,
}

const noBrowser = 'No browser is available now, so no lobby can be seen. Nothing is charged.'

const runForm = ({ price, nonce }: ListedLobbyRuns, view: View): Html =>
  offerForm(
    view,
    { action: lobbiesPath, what: 'See the lobby', credits: price, nonce, isLimit: true, name: 'See a lobby' },
    field(view, { name: 'domain', label: 'Site', required: true, placeholder: 'luckyotter.example' }),
    field(view, { name: 'url', label: 'Address of the lobby, if known' }),
    field(view, { name: 'suppliers', label: 'Suppliers, separated by commas' }),
    field(view, {
      name: 'device',
      label: 'Device',
      choices: [
        ['desktop', 'desktop'],
        ['mobile', 'phone'],
      ],
    }),
  )

export const lobbyPages: Readonly<Record<string, Shown>> = {
  list_account_lobby_runs: listPage,
  start_lobby_run: { next: ({ ref }: { ref: string }) => lobbyPathOf(ref), form: 'list_account_lobby_runs' },
  show_account_lobby_run: runPage,
}
