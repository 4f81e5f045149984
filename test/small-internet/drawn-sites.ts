/** Sites that a script draws, for tests with Chromium. */
import { readdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { folderPrefix } from '../../packages/renderer/orphans.ts'
import { type Scenario, type SiteResponse, scenarioOf } from './scenario.ts'

export const gameTitles = [
  'Otter Reels',
  'Heron Spins',
  'Lynx Gold',
  'Badger Riches',
  'Marten Club',
  'Stoat Fever',
]

/** Returns the tiles of games in this order. */
const tilesOf = (titles: readonly string[]) =>
  titles
    .map(
      title => `<li><a href="/game/${title}"><img width="120" height="120" src="/a.png" alt=""></a>
        <b>${title}</b><small>NetEnt</small></li>`,
    )
    .join('')

export const lobbyOf = (titles: readonly string[]) => `<h2>Slots</h2><ul>${tilesOf(titles)}</ul>`

/** Returns a casino with what a check calls live: games, an account and a cash desk. */
export const casinoWith = (methods: string) => `<main class="lobby"><nav><a href="/register">Register</a>
  <a href="/login">Log in</a> <a href="/casino">Casino</a> <a href="/cashier">Deposit</a></nav>
  <h2>Slots</h2><ul>${['Starburst', 'Gonzo', 'Book of Ra', 'Mega Moolah', 'Sweet Bonanza', 'Big Bass']
    .map(
      title =>
        `<li><a href="/game/${title}"><img alt="${title} by NetEnt"></a><button>Play now</button></li>`,
    )
    .join('')}</ul>
  <form action="/register"><input type="email" name="email"><input type="password" name="password">
  <button>Sign up</button></form><p>Deposit with ${methods}.</p></main>`

/** Returns a page that a script fills. `before` is the code that runs first, and may wait. */
export const drawnPage = (html: string, before = '') =>
  `<!doctype html><title>Site</title><div id="app"></div>
   <script type="module">${before}; app.innerHTML = ${JSON.stringify(html)}</script>`

export const drawnSite = (
  domain: string,
  responses: Record<string, SiteResponse>,
  more: { licensed?: boolean } = {},
): Scenario =>
  scenarioOf({
    about: domain,
    domain,
    responses,
    expect: { web_presence: 'live', launch: 'live', outcome: 'completed' },
    ...more,
  })

/** Returns the pids of Chromiums that a process started, which their profiles record. */
export async function chromiumsOf(owner: number): Promise<number[]> {
  const names = (await readdir(tmpdir())).filter(name => name.startsWith(folderPrefix))
  const records = await Promise.all(
    names.map(name => readFile(join(tmpdir(), name, 'process.json'), 'utf8').catch(() => '{}')),
  )
  return records
    .map(text => JSON.parse(text) as { chromium?: { pid: number }; owner?: { pid: number } })
    .filter(record => record.owner?.pid === owner)
    .map(({ chromium }) => chromium?.pid ?? 0)
}
