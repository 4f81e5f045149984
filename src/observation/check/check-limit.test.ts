import { readImage } from '@baize/images'
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { loadScenarios, publicAddress, type Scenario } from '../../../test/small-internet/scenario.ts'
import {
  type CheckingService,
  startCheckingService,
} from '../../../test/small-internet/start-checking-service.ts'
import { readSettings } from '../../config/settings.ts'
import { lookSettingsOf } from '../../instance/tasks/check-tasks.ts'
import { lockFacts } from '../../journal/index.ts'
import { openLookTools } from '../open-look-tools.ts'
import { type CheckOptions, runCheck } from './run-check.ts'

const [casino] = loadScenarios('live.yaml') as [Scenario]
const siteOf = (domain: string, responses: Scenario['responses']): Scenario => ({
  ...casino,
  domain,
  licensed: false,
  dns: { [domain]: { A: [publicAddress] } },
  responses,
})
const page = { html: '<title>Otter</title><p>Hello' }
/** Too large to be read beside the queue of images. */
const largeSvg = `<svg xmlns="http://www.w3.org/2000/svg">${'<path d="M0 0h4v2z"/>'.repeat(1_000)}</svg>`
const scenarios = [
  siteOf('hangs.example', { '/': { hangs: true } }),
  siteOf('shows.example', {
    '/': {
      html: '<title>Otter</title><header><a href="/"><img src="/logo.svg" alt="Otter logo"></a></header>',
    },
    '/logo.svg': { text: largeSvg },
  }),
  ...['synced', 'stored', 'read', 'stopped'].map(name => siteOf(`${name}.example`, { '/': page })),
]
/** Long enough for everything but what each test lets it wait for. */
const msMax = 4_000

let service: CheckingService
beforeAll(async () => {
  service = await startCheckingService(scenarios)
})
afterEach(() => service.expectConsistentBooks())
afterAll(() => service.close())

const never = new Promise<never>(() => {})
const database = () => service.service.live.database
const account = async (customer: { ask: typeof service.ask }) => (await customer.ask('/v1/account')).body.data

/** An enrichment, and the options of its check. */
async function enriched(domain: string) {
  const customer = await service.customer({ credits: 100 })
  const asked = await customer.ask('/v1/enrichments', {
    method: 'POST',
    body: JSON.stringify({ domain }),
    headers: { 'content-type': 'application/json' },
  })
  expect((await account(customer)).credits_reserved).toBe(10)
  const [check] = await service.checksOf(domain)
  const now = () => new Date()
  const look = lookSettingsOf(readSettings(service.internet.environment), {
    now,
    refreshes: false,
    renderer: null,
  })
  const openTools = (signal: AbortSignal) => openLookTools(look, { database: database(), now, signal })
  const options: CheckOptions = {
    ...{ world: service.service.live, files: service.files, openTools, userAgent: look.userAgent, now },
    ...{ signal: new AbortController().signal, msMax },
  }
  const shown = async () => (await customer.ask(asked.body.data.poll_url)).body.data
  return { checkId: check?.id as number, options, customer, shown }
}

type Enriched = Awaited<ReturnType<typeof enriched>>

async function expectTimeout({ checkId, options, customer, shown }: Enriched, more: Partial<CheckOptions>) {
  const report = await runCheck(checkId, { ...options, ...more })
  expect(report).toMatchObject({ outcome: { outcome: 'failed', reason: 'timeout' }, findings: [] })
  expect(await shown()).toMatchObject({ status: 'failed', reason: 'timeout', credits_charged: 0 })
  expect(await account(customer)).toMatchObject({ credits_used: 0, credits_reserved: 0 })
}

test('a check whose site does not answer ends at its limit, and releases its credits', async () => {
  await expectTimeout(await enriched('hangs.example'), {})
})

test('a check whose pages wait for a thread ends at its limit, and releases its credits', async () => {
  const check = await enriched('read.example')
  const { openTools } = check.options
  const reader = { readPage: () => never, ownDomainsOf: () => never, isUrlAllowed: () => never }
  await expectTimeout(check, {
    openTools: signal => ({ ...openTools(signal), reader, choosePages: async () => [] }),
  })
})

test('a check whose files are stored slowly ends at its limit, and releases its credits', async () => {
  await expectTimeout(await enriched('stored.example'), { files: { ...service.files, put: () => never } })
})

test('a check that waits for a sync of a register ends at its limit, and releases its credits', async () => {
  const check = await enriched('synced.example')
  await database()
    .transaction()
    .execute(async sync => {
      await lockFacts(sync)
      await expectTimeout(check, {})
    })
})

test('a check whose image takes too long to decode completes in time without a logo', async () => {
  const { checkId, options, shown } = await enriched('shows.example')
  const slow = await sharp({ create: { width: 4_000, height: 4_000, channels: 3, background: 'red' } })
    .png()
    .toBuffer()
  const stop = new AbortController()
  const queue = Array.from({ length: 500 }, () => readImage(slow, stop.signal).catch(() => 'stopped'))
  const report = await runCheck(checkId, { ...options, msMax: 4 * msMax })
  stop.abort()
  expect(report).toMatchObject({ outcome: { outcome: 'completed' } })
  expect((await Promise.all(queue)).at(-1)).toBe('stopped')
  expect(service.internet.requestsTo('shows.example').map(({ path }) => path)).toContain('/logo.svg')
  expect(await shown()).toMatchObject({ status: 'completed' })
  const customer = await service.customer({ credits: 10 })
  const { body } = await customer.ask('/v1/domains/resolve?domain=shows.example&include[]=logos')
  expect(body.data.observations.logos).toEqual([])
})

test('a check that is stopped with its worker does not fail, and another worker repeats it', async () => {
  const { checkId, options, shown } = await enriched('stopped.example')
  const stop = new AbortController()
  const openTools = (signal: AbortSignal) => {
    stop.abort(new Error('the worker stops'))
    return options.openTools(signal)
  }
  await expect(runCheck(checkId, { ...options, openTools, signal: stop.signal })).rejects.toThrow(
    'the worker stops',
  )
  expect(await shown()).toMatchObject({ status: 'running' })
  expect(await runCheck(checkId, { ...options, msMax: 60_000 })).toMatchObject({
    outcome: { outcome: 'completed' },
  })
})
