import { lobbyLimits, sectionKinds, supplierMatches } from '@baize/lobby-reader'
import { devices } from '@baize/lobby-reader/see'
import { slugCharactersMax } from '@baize/names'
import { Type } from 'typebox'
import { closedObject, instant, namedObject, nullable, oneOf } from '../../core/schema.ts'

export const runStates = ['queued', 'running', 'completed', 'partial', 'failed'] as const
export type RunState = (typeof runStates)[number]

export const suppliersMax = 20

export const refParams = closedObject({
  ref: Type.String({ minLength: 1, maxLength: 64, description: 'The `lobby_run_ref` of one of your runs.' }),
})
export const runPath = (ref: string) => `/v1/lobby-runs/${ref}`

const ratio = (description: string) => Type.Number({ minimum: 0, maximum: 1, description })
const slug = nullable(Type.String({ maxLength: slugCharactersMax + 20 }), {
  description: 'The supplier as a key, such as `play-n-go`. null: unknown.',
})

/** The members of a run in a list; a single run has more. */
export const runMembers = {
  lobby_run_ref: Type.String(),
  domain: Type.String({ description: 'The canonical registrable domain.' }),
  device: oneOf(devices),
  url: nullable(Type.String(), {
    description: 'The requested page. null: the lobby was searched from the root.',
  }),
  status: oneOf(runStates, {
    description: '`partial`: a limit cut the visit or left out games; it is charged if it has a game.',
  }),
  reason: nullable(Type.String(), {
    description:
      'Why it failed: `blocked`, `login_required`, `no_lobby_found`, `timeout`, `page_too_large`, ' +
      '`unreachable`, `redirect_loop`, `redirects_to_another_domain`, `not_a_site`, or `interrupted` (by ' +
      'the service). null: it did not.',
  }),
  requested_at: instant(),
  completed_at: nullable(instant(), { description: 'null: not ended.' }),
  credits_charged: Type.Integer({
    description: '10 when it ended with a game; 0 before that, and if it failed.',
  }),
  titles_seen: Type.Integer({ description: 'Distinct titles: what `share` is a share of.' }),
}

const section = namedObject('LobbySection', {
  name: nullable(Type.String(), { description: 'As the page shows it. null: without a heading.' }),
  kind: oneOf(sectionKinds),
  order: Type.Integer({ description: 'Its place on the page, from 1.' }),
  games_seen: Type.Integer(),
  is_complete: Type.Boolean({
    description: 'false: a limit, the end of scrolling or a button for more shows that games are missing.',
  }),
})

const game = namedObject('LobbyGame', {
  section: Type.Integer({ description: 'The `order` of its section.' }),
  position: Type.Integer({ description: 'Its place in the section, from 1.' }),
  title: Type.String(),
  supplier: nullable(Type.String(), { description: 'As the lobby shows it. null: it names none.' }),
  supplier_slug: slug,
  match: oneOf(supplierMatches, {
    description:
      'How the supplier is known: the tile names it; a host, path or attribute of the tile states it; ' +
      'public sources give the title to one studio; or not at all.',
  }),
  is_above_fold: Type.Boolean({ description: 'Whether it is visible without scrolling.' }),
  is_repeat: Type.Boolean({ description: 'Whether an earlier section has it, too.' }),
})

const share = namedObject('LobbyShare', {
  supplier_slug: Type.String(),
  games: Type.Integer({ description: 'Its distinct titles.' }),
  share: ratio('Of `titles_seen`.'),
  share_above_fold: ratio('Of `titles_above_fold`.'),
  best_position: Type.Integer({ description: 'Its best position in any section.' }),
})

const seenFrom = namedObject('LobbyView', {
  device: oneOf(devices),
  viewport: Type.String({ description: 'Width and height in CSS pixels.', examples: ['1366x900'] }),
  language: Type.String({ description: 'The first language that the browser asks for.' }),
  country: nullable(Type.String(), {
    description: 'The country of the way out, as its operator states it. null: not stated.',
  }),
  final_url: nullable(Type.String(), { description: 'The page that was read.' }),
  seen_at: instant(),
})

const absence = namedObject('AbsentSupplier', {
  supplier: Type.String({ description: 'As you asked for it.' }),
  seen: Type.Boolean({ description: 'Always false.' }),
  note: Type.String(),
})

export const runData = closedObject({
  ...runMembers,
  titles_above_fold: Type.Integer({ description: 'What `share_above_fold` is a share of.' }),
  seen_from: Type.Union([seenFrom, Type.Null()], { description: 'null: nothing was seen.' }),
  sections: Type.Array(section, { maxItems: lobbyLimits.sections }),
  games: Type.Array(game, { maxItems: lobbyLimits.games, description: 'In the order of the page.' }),
  shares: Type.Array(share, { description: 'By supplier, those with most titles first.' }),
  absent: Type.Array(absence, {
    maxItems: suppliersMax,
    description: 'The suppliers that you asked for and that have no game in it.',
  }),
})

const change = namedObject('LobbyChange', {
  section: nullable(Type.String()),
  title: Type.String(),
  supplier_slug: slug,
  before: nullable(Type.Integer(), { description: 'The position before. null: it entered.' }),
  after: nullable(Type.Integer(), { description: 'The position after. null: it left.' }),
})

export const changesData = closedObject({
  lobby_run_ref: Type.String(),
  since: Type.String({ description: 'The run that it is compared with.' }),
  entered: Type.Array(change),
  left: Type.Array(change, { description: 'Only from sections that both runs saw completely.' }),
  moved: Type.Array(change, {
    description: 'Games that overtook others. One that shifts because others entered or left has not moved.',
  }),
})
