// Runs the labelled lobbies on loopback as the lobby monitor would, and scores what it reads: `npm run
// lobby-quality [-- --set tuning|frozen] [--show] [--json]`. `--show` names each mistake of the tuning set.
// The exit code is 1 if a goal is missed, and 2 without Chromium.
import { readFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { seeLobby } from '@baize/lobby-reader/see'
import { hasChromium, servePages, testRenderer } from '../packages/renderer/fixture.ts'
import {
  folderOf,
  type LobbySet,
  type LobbySite,
  lobbySets,
  lobbySites,
} from './lobby-quality/lobby-sites.ts'
import { emptyScore, type LobbyScore, scoreRun } from './lobby-quality/score.ts'
import { changedFilesIn } from './observation-quality/labelled-sites.ts'

const goals = { recall: 0.98, order: 1, suppliers: 0.98 }

const { values } = parseArgs({
  options: {
    set: { type: 'string', default: 'tuning' },
    show: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
})
const set = lobbySets.find(each => each === values.set)
if (set === undefined) fail(`--set must be one of ${lobbySets.join(', ')}`)
if (set === 'frozen' && values.show) fail('--show is for the tuning set: nobody tunes on the frozen sites')
if (set === 'frozen' && changedFilesIn(folderOf(set)).length > 0) fail('frozen sites were changed')
if (!hasChromium) fail('Chromium is missing (apt-get install chromium)')

const score = emptyScore()
const sites = lobbySites(set)
const startedMs = performance.now()
for (const site of sites) await runSite(set, site, score)

const figures = figuresOf(score)
const missed = [
  figures.recall < goals.recall && `a recall of titles of ${goals.recall}`,
  figures.order < goals.order && 'the order of each section',
  figures.suppliers < goals.suppliers && `a precision of suppliers of ${goals.suppliers}`,
  score.charged > 0 && 'no charge of a run that must fail',
].filter(each => each !== false)
const seconds = Math.round((performance.now() - startedMs) / 100 / sites.length) / 10
if (values.json)
  console.log(JSON.stringify({ set, sites: sites.length, ...figures, charged: score.charged, missed }))
else {
  const { titles, suppliers, order } = score
  console.log(`${set}: ${sites.length} sites, ${seconds} s each
recall of titles        ${figures.recall.toFixed(3)}  ${titles.right} of ${titles.right + titles.missed}
precision of titles     ${figures.precision.toFixed(3)}  ${titles.wrong} wrong
sections in order       ${figures.order.toFixed(3)}  ${order.right} of ${order.right + order.wrong}
precision of suppliers  ${figures.suppliers.toFixed(3)}  ${suppliers.wrong} wrong, ${suppliers.missed} unknown
runs charged in error   ${score.charged}`)
  for (const goal of missed) console.log(`MISSED ${goal}`)
  if (values.show) for (const mistake of score.mistakes) console.log(mistake)
}
if (missed.length > 0) process.exitCode = 1

function figuresOf({ titles, suppliers, order }: LobbyScore) {
  const ratio = (part: number, other: number) => (part + other === 0 ? 1 : part / (part + other))
  return {
    recall: ratio(titles.right, titles.missed),
    precision: ratio(titles.right, titles.wrong),
    order: ratio(order.right, order.wrong),
    suppliers: ratio(suppliers.right, suppliers.wrong),
  }
}

async function runSite(set: LobbySet, site: LobbySite, score: LobbyScore): Promise<void> {
  await using pages = await servePages(answersOf(set, site))
  const renderer = testRenderer(pages, { hasSandbox: process.getuid?.() !== 0 })
  try {
    const ask = { domain: site.domain, url: null, device: site.device }
    const { signal } = new AbortController()
    scoreRun(
      site,
      await seeLobby(ask, each => renderer.render({ ...each, url: plain(each.url) }), signal),
      score,
    )
  } finally {
    await renderer.close()
  }
}

/** The sites are served without TLS. */
function plain(text: string): string {
  return text.replaceAll('https://', 'http://')
}

function answersOf(set: LobbySet, { name, resources }: LobbySite): Record<string, RequestListener> {
  const answers = resources.map(({ url, status, content_type, file, location }) => {
    const answer: RequestListener = (_request, response) => {
      response.writeHead(
        status,
        location === undefined ? { 'content-type': content_type } : { location: plain(location) },
      )
      response.end(file === undefined ? '' : plain(readFileSync(join(folderOf(set), name, file), 'utf8')))
    }
    return [plain(url), answer] as const
  })
  return Object.fromEntries(answers)
}

function fail(message: string): never {
  console.error(message)
  process.exit(2)
}
