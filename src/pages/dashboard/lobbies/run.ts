import type { ShownLobbyRun } from '../../../features/lobbies/index.ts'
import { supplierKey } from '../../../features/lobbies/index.ts'
import {
  badge,
  credits,
  defineTable,
  domainLink,
  facts,
  field,
  figureList,
  fileOnly,
  hidden,
  number,
  steps,
  time,
} from '../../components/index.ts'
import { type Content, type Html, html } from '../../html.ts'
import type { Page, View } from '../../page.ts'

export const lobbiesPath = '/dashboard/lobbies'
export const lobbyPathOf = (ref: string) => `${lobbiesPath}/${ref}`

export const runStates = {
  queued: badge('plain', 'waiting'),
  running: badge('plain', 'running'),
  completed: badge('good', '✓ completed'),
  partial: badge('warn', 'partial'),
  failed: badge('bad', '✕ failed'),
} as const

/** Why a run failed. */
const reasons: Readonly<Record<string, string>> = {
  blocked: 'The site refused the visit.',
  login_required: 'The lobby needs a sign-in.',
  no_lobby_found: 'No page with games was found. Send the address of the lobby.',
  timeout: 'The page did not end in time.',
  page_too_large: 'The page is too large.',
  unreachable: 'The site could not be reached.',
  redirect_loop: 'The site redirects in a loop.',
  redirects_to_another_domain: 'The address leads to another site.',
  not_a_site: 'There is no site of a casino.',
  interrupted: 'The service interrupted the visit.',
}

type Run = ShownLobbyRun['run']
type Game = Run['games'][number]
/** The style sheet has this many colours. Further suppliers share the last one. */
const seriesMax = 11

/** Returns the colour of each supplier, by their share. */
function coloursOf({ shares }: Run): (slug: string | null) => number {
  const places = new Map(
    shares.map(({ supplier_slug: slug }, index) => [slug, Math.min(index, seriesMax - 1)]),
  )
  return slug => (slug === null ? seriesMax - 1 : (places.get(slug) ?? seriesMax - 1))
}

const nameOf = ({ games }: Run, slug: string): string =>
  games.find(each => each.supplier_slug === slug && each.supplier !== null)?.supplier ?? slug

/** The page of a run with another supplier or another run to compare with. */
function addressOf({ run, asked, changes }: ShownLobbyRun, { supplier = asked[0], since = changes?.since }) {
  const query = new URLSearchParams({ ...(supplier && { supplier }), ...(since && { since }) })
  return `${lobbyPathOf(run.lobby_run_ref)}?${query}`
}

function lobbyPart({ run, asked }: ShownLobbyRun): Html {
  const colour = coloursOf(run)
  return html`<section class="card lobby" aria-labelledby="lobby">
<h2 id="lobby">The lobby</h2>${run.sections.map(section => {
    const games = run.games.filter(each => each.section === section.order)
    const above = games.filter(each => each.is_above_fold).length
    return html`<section><h3>${section.name ?? kinds[section.kind]} <small>${number(games.length)} ${
      games.length === 1 ? 'game' : 'games'
    }${above > 0 && `, ${number(above)} above the fold`}${
      !section.is_complete && ', more not seen'
    }</small></h3>
<ol class="tiles${section.kind === 'hero' && html` large`}">${games.map(game => {
      const { position, title, supplier, supplier_slug: slug } = game
      const isAsked = [supplier, slug].some(each => each !== null && asked.includes(supplierKey(each)))
      return html`<li class="tile${isAsked && html` asked`}">
<span class="band series-${colour(slug)}"></span><span class="place">${number(position)}</span>
<strong>${title}</strong><small>${
        slug === null ? 'supplier unknown' : nameOf(run, slug)
      }${isAsked && html`<span class="unseen"> (asked for)</span>`}</small></li>`
    })}</ol></section>`
  })}</section>`
}

const kinds: Readonly<Record<Run['sections'][number]['kind'], string>> = {
  hero: 'At the top',
  featured: 'Featured',
  new: 'New',
  popular: 'Popular',
  category: 'Without a heading',
  live: 'Live',
  other: 'Without a heading',
}

type Share = Run['shares'][number]
const isOf = (asked: readonly string[]) => (share: Share) => asked.includes(supplierKey(share.supplier_slug))

function headline({ run, asked }: ShownLobbyRun): Content {
  const named = run.shares.filter(isOf(asked))
  return (named.length > 0 ? named : run.shares.slice(0, 1)).map(
    ({ supplier_slug: slug, games, share, best_position: best }) =>
      html`${nameOf(run, slug)} has ${number(games)} of ${number(run.titles_seen)} titles (${percent(share)}),
the best in place ${number(best)}. `,
  )
}

const percent = (ratio: number) => `${(ratio * 100).toFixed(ratio > 0 && ratio < 0.1 ? 1 : 0)} %`
/** Further suppliers are folded, unless they were asked for. */
const sharesShownMax = 8

function sharesPart(shown: ShownLobbyRun): Html {
  const { run, asked } = shown
  const colour = coloursOf(run)
  const most = Math.max(...run.shares.map(({ share }) => share), 0.01)
  const draw = (of: Share) => {
    const { supplier_slug: slug, share, share_above_fold: above, games, best_position: best } = of
    const width = ((share / most) * 100).toFixed(1)
    return html`<li${isOf(asked)(of) && html` class="asked"`}>
<a href="${addressOf(shown, { supplier: slug })}">${nameOf(run, slug)}</a>
<svg viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
<rect class="series-${colour(slug)}" width="${width}" height="6" rx="1"></rect></svg>
<strong>${percent(share)}</strong> <span>${number(games)} ${games === 1 ? 'title' : 'titles'},
${percent(above)} above the fold, best place ${number(best)}</span></li>`
  }
  const isShown = (of: Share) => run.shares.indexOf(of) < sharesShownMax || isOf(asked)(of)
  const further = run.shares.filter(each => !isShown(each))
  return html`<section class="card" aria-labelledby="shares"><h2 id="shares">Shares</h2>
<p class="hint">Of ${number(run.titles_seen)} titles;
${number(run.titles_above_fold)} are visible without scrolling. Choose a supplier to see its games below.</p>
<ul class="shares">${run.shares.filter(isShown).map(draw)}</ul>
${
  further.length > 0 &&
  html`<details><summary>${number(further.length)} further suppliers</summary>
<ul class="shares">${further.map(draw)}</ul></details>`
}
${run.absent.map(({ supplier, note }) => html`<p><strong>${supplier}</strong>: ${note}</p>`)}</section>`
}

/** Compares with the run before, or with the one that the form names. */
function changesPart(shown: ShownLobbyRun, view: View): Content {
  const { run, asked, changes, history } = shown
  const others = history.filter(each => each.lobby_run_ref !== run.lobby_run_ref)
  if (changes === null || others.length === 0)
    return html`<section class="card" aria-labelledby="changes"><h2 id="changes">What changed</h2>
<p>No earlier run of yours saw this lobby. See it again later: the page of that run shows which games
entered, left and moved.</p></section>`
  const { entered, left, moved } = changes
  const list = (name: string, sign: string, of: typeof entered) =>
    html`<div class="changes"><h3>${name} <small>${number(of.length)}</small></h3>${
      of.length === 0 ? html`<p class="none">none</p>` : null
    }<ul>${of.map(
      ({ title, section, supplier_slug: slug, before, after }) =>
        html`<li${slug !== null && asked.includes(supplierKey(slug)) && html` class="asked"`}>
<span class="sign" aria-hidden="true">${sign}</span><span><strong>${title}</strong> <small>${
          slug !== null && `${nameOf(run, slug)}, `
        }${section ?? 'without a heading'}, ${
          before !== null && after !== null ? `place ${before} to ${after}` : `place ${after ?? before}`
        }</small></span></li>`,
    )}</ul></div>`
  const dates = others.map(
    each => [each.lobby_run_ref, `${each.requested_at.slice(0, 16).replace('T', ' ')} UTC`] as const,
  )
  return html`<section class="card" aria-labelledby="changes"><h2 id="changes">What changed</h2>
<form class="filters" method="get" action="${lobbyPathOf(run.lobby_run_ref)}">
${asked[0] !== undefined && hidden('supplier', asked[0])}
${field(view, { name: 'since', label: 'Compare with the run of', choices: dates, value: changes.since })}
<button class="plain">Compare</button></form>
<div class="beside">
${list('Entered', '+', entered)}${list('Left', '−', left)}${list('Moved', '↕', moved)}</div>
<p class="hint">Titles that only shift because others entered or left have not moved.
<a href="${lobbyPathOf(changes.since)}">The other run</a></p></section>`
}

type Past = ShownLobbyRun['history'][number]

const mainSupplier = ({ run, asked }: ShownLobbyRun) =>
  (run.shares.find(isOf(asked)) ?? run.shares[0])?.supplier_slug

/** The share of the first supplier that was asked for, or else of the one with most titles, run by run. */
const historyTable = defineTable<ShownLobbyRun, Past & Partial<Share>>('history', shown => {
  const { history } = shown
  const slug = mainSupplier(shown)
  return {
    name: 'History',
    columns: [
      {
        name: 'Run',
        cell: row => html`<a href="${lobbyPathOf(row.lobby_run_ref)}">${time(row.requested_at)}</a>`,
        key: 'requested_at',
      },
      { name: 'Titles', cell: row => number(row.games ?? 0), key: 'games', isNumber: true },
      { name: 'Of', cell: row => number(row.titles_seen), key: 'titles_seen', isNumber: true },
      { name: 'Share', cell: row => percent(row.share ?? 0), key: 'share', isNumber: true },
      {
        name: 'Above the fold',
        cell: row => percent(row.share_above_fold ?? 0),
        key: 'share_above_fold',
        isNumber: true,
      },
      { name: 'Best place', cell: row => row.best_position ?? '–', key: 'best_position', isNumber: true },
      ...fileOnly('lobby_run_ref'),
    ],
    rows: history.map(past => ({ ...past, ...past.shares.find(each => each.supplier_slug === slug) })),
  }
})

const gameTable = defineTable<ShownLobbyRun, Game & { section_name: string }>('games', ({ run }) => ({
  name: 'All games',
  columns: [
    { name: 'Section', cell: row => row.section_name, key: 'section_name', isFacet: true },
    { name: 'Place', cell: row => number(row.position), key: 'position', isNumber: true },
    { name: 'Title', cell: row => row.title, key: 'title' },
    { name: 'Supplier', cell: row => row.supplier ?? row.supplier_slug, key: 'supplier_slug', isFacet: true },
    { name: 'Known by', cell: row => row.match.replace('_', ' '), key: 'match', isFacet: true },
    { name: 'Above the fold', cell: row => (row.is_above_fold ? 'yes' : 'no'), key: 'is_above_fold' },
    ...fileOnly('supplier', 'is_repeat'),
  ],
  rows: run.games.map(game => ({ ...game, section_name: run.sections[game.section - 1]?.name ?? '' })),
}))

const stepNames = ['Requested', 'In the queue', 'Looking at the lobby', 'Completed']

/** Shows the state of a run. The page requests this part again while the run goes on. */
function stateOf({ run }: ShownLobbyRun): Html {
  const path = lobbyPathOf(run.lobby_run_ref)
  const isOpen = run.status === 'queued' || run.status === 'running'
  const again =
    isOpen && html` hx-get="${path}" hx-trigger="load delay:3s" hx-swap="outerHTML" hx-target="#run"`
  return html`<div id="run" aria-live="polite"${again}>
<p>${runStates[run.status]} ${domainLink(run.domain)} ${run.device}, ${time(run.requested_at)}</p>
${
  isOpen &&
  html`${steps(stepNames, run.status === 'queued' ? 1 : 2)}
<p class="progress">A browser visits the site, for at most a minute. <a href="${path}">Look again</a></p>`
}
${run.reason && html`<p>${reasons[run.reason] ?? run.reason} Nothing was charged.</p>`}
${
  !isOpen &&
  run.seen_from !== null &&
  html`<p class="actions"><a class="button" href="${path}">Show the lobby</a></p>`
}
</div>`
}

export const runPage: Page<ShownLobbyRun> = {
  title: ({ run }) => `Lobby of ${run.domain}`,
  lead: headline,
  within: lobbiesPath,
  tables: [gameTable, historyTable],
  body(shown, view) {
    const { run } = shown
    if (run.seen_from === null) return stateOf(shown)
    const { device, viewport, language, country, final_url, seen_at } = run.seen_from
    return html`<p>${runStates[run.status]} ${domainLink(run.domain)} ${time(seen_at)},
${credits(run.credits_charged)} charged</p>
${figureList([
  { name: 'Titles', value: number(run.titles_seen) },
  { name: 'Above the fold', value: number(run.titles_above_fold) },
  { name: 'Sections', value: number(run.sections.length) },
  { name: 'Suppliers', value: number(run.shares.length) },
])}
${sharesPart(shown)}${lobbyPart(shown)}${changesPart(shown, view)}
${
  shown.history.length > 1 &&
  html`<h2>${nameOf(run, mainSupplier(shown) ?? '')} in your runs of this lobby</h2>
${historyTable.draw(shown, view)}`
}
<details class="card"><summary>All games, and how they were seen</summary>
${facts({ device, viewport, language, country, final_url })}${gameTable.draw(shown, view)}</details>
<p class="actions"><a class="button" href="${lobbyPathOf(run.lobby_run_ref)}.csv?table=games">Games as CSV</a>
<a class="button plain" href="${lobbiesPath}">Further runs</a></p>`
  },
  fragments: { run: stateOf },
}
