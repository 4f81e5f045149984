import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasChromium } from '../../packages/renderer/fixture.ts'
import { eventually } from '../../test/harness/eventually.ts'
import type { Customer } from '../../test/harness/service.ts'
import {
  casinoWith,
  drawnPage,
  drawnSite,
  gameTitles,
  lobbyOf,
} from '../../test/small-internet/drawn-sites.ts'
import {
  type CheckingService,
  startCheckingService,
} from '../../test/small-internet/start-checking-service.ts'
import { verifyLobbyRuns } from '../features/lobbies/index.ts'
import { reportRenderer } from '../features/renderers/index.ts'
import { rereadChecks } from './index.ts'

const shell = '<!doctype html><title>Site</title><div id="app"></div><script src="/app.js"></script>'
const page = (html: string) => ({ html: drawnPage(html) })
const soon = page('<h1>Coming soon</h1><p>Our casino is opening soon. Stay tuned.</p>')
const [first, second, third, fourth, fifth, sixth] = gameTitles as [
  string,
  string,
  string,
  string,
  string,
  string,
]
/** One title is another one, and one has moved. */
const otherTitles = [first, fourth, second, third, fifth, 'Raven Riches']
/** A check asks for the root by HTTP, then in Chromium. */
const changing = [
  ...[page(casinoWith('Visa')), page(casinoWith('Visa'))],
  ...[page(casinoWith('Skrill')), soon],
  ...[{ html: shell }, page(casinoWith('Neteller'))],
  ...[{ html: casinoWith('Visa') }, { html: shell }],
]
const asksAge = drawnPage(
  `<h1>Are you over 18?</h1><button onclick="fetch('/entered').then(() => location.reload())">
   I am over 18</button><a href="/imprint">Imprint</a>`,
)

describe.skipIf(!hasChromium)('sites that are another at each visit', () => {
  let service: CheckingService
  let customer: Customer
  let worker: { stop(): Promise<void> }

  beforeAll(async () => {
    service = await startCheckingService(
      [
        drawnSite('changing.example', { '/': { turns: changing } }, { licensed: true }),
        drawnSite('age.example', { '/': { html: asksAge } }, { licensed: true }),
        drawnSite('order.example', {
          '/': { turns: [page(lobbyOf(gameTitles)), page(lobbyOf(otherTitles))] },
        }),
        drawnSite('moving.example', {
          '/': { turns: [page(lobbyOf(gameTitles)), page('<h1>Otter</h1><a href="/casino">Casino</a>')] },
          '/casino': page(lobbyOf(otherTitles)),
        }),
      ],
      { RENDER: 'on' },
    )
    customer = await service.customer({ credits: 1_000 })
    const counts = { renders: 0, failed: 0, killed: 0, processes: 0, last_failure: null }
    const on = { worker: 'test', state: 'on', reason: null, message: null, ...counts } as const
    await reportRenderer(service.service.live.database, on, service.service.now())
    worker = await service.startWorker()
  })
  afterAll(async () => {
    await worker?.stop()
    await service?.expectConsistentBooks()
    await service?.close()
  })

  async function check(domain: string) {
    const { status, body } = await service.resolve(customer, domain)
    expect(status, JSON.stringify(body)).toBe(200)
    return readOf(domain)
  }
  /** Returns what the last check found. */
  async function readOf(domain: string) {
    const id = (await service.checksOf(domain)).at(-1)?.id ?? 0
    const { rows } = await sql<{ section: string; value_key: string; value: { status?: string } }>`
      select section, value_key, value
        from site_findings join site_checks on site_checks.reading_id = site_findings.reading_id
       where site_checks.id = ${id}
       order by section, value_key`.execute(service.service.live.database)
    const ofSection = (name: string) => rows.filter(({ section }) => section === name)
    return {
      launch: ofSection('launch')[0]?.value.status,
      methods: ofSection('payment_methods').map(({ value_key: key }) => key),
    }
  }

  test('a check says what its own visit showed, also if it is read again later', async () => {
    const seen = []
    for (const _ of changing.slice(0, changing.length / 2)) {
      seen.push(await check('changing.example'))
      const { database } = service.service.live
      await sql`update site_readings set rules_version = 'earlier ' || id`.execute(database)
      const { now, live } = service.service
      expect(await rereadChecks(live, service.files, { now })).toMatchObject({ unreadable: 0 })
      expect(await readOf('changing.example')).toEqual(seen.at(-1))
    }
    expect(seen).toEqual([
      { launch: 'live', methods: ['visa'] },
      { launch: 'launching', methods: [] },
      { launch: 'live', methods: ['neteller'] },
      { launch: 'unknown', methods: ['visa'] },
    ])
  })

  test('a check does not say that it is over 18, and what is behind the question is unknown', async () => {
    expect(await check('age.example')).toEqual({ launch: 'unknown', methods: [] })
    const paths = service.internet.requestsTo('age.example').map(({ path }) => path)
    expect(paths).not.toContain('/entered')
  })

  async function run(domain: string) {
    const { status, body } = await customer.ask('/v1/lobby-runs', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ domain, max_age_minutes: 0 }),
    })
    expect(status, JSON.stringify(body)).toBe(202)
    const ended = await eventually(
      'the run ends',
      async () => {
        const { data } = (await customer.ask(`/v1/lobby-runs/${body.data.lobby_run_ref}`)).body
        return ['completed', 'partial', 'failed'].includes(data.status) && data
      },
      120_000,
    )
    const titles: string[] = ended.games.map((game: { title: string }) => game.title)
    return { ref: ended.lobby_run_ref, titles, finalUrl: ended.seen_from.final_url }
  }
  async function changesOf(ref: string, since: string) {
    const { data } = (await customer.ask(`/v1/lobby-runs/${ref}/changes?since=${since}`)).body
    const titlesOf = (games: { title: string }[]) => games.map(({ title }) => title)
    return { entered: titlesOf(data.entered), left: titlesOf(data.left), moved: titlesOf(data.moved) }
  }
  const changes = { entered: ['Raven Riches'], left: [sixth], moved: [fourth] }

  test.each(['order.example', 'moving.example'])(
    'each run of %s has the games of its own visit, and changes are what the two runs saw',
    async domain => {
      const earlier = await run(domain)
      const later = await run(domain)
      expect([earlier.titles, later.titles]).toEqual([gameTitles, otherTitles])
      expect(await changesOf(later.ref, earlier.ref)).toEqual(changes)
      expect(await verifyLobbyRuns(service.service.live.database)).toEqual([])
    },
  )
})
