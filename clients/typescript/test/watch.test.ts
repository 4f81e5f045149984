import { appendFile, readFile, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestDirectory, type TestDirectory } from '../../../test/harness/directory.ts'
import { type Customer, startService, type TestService } from '../../../test/harness/service.ts'
import { chargesOf } from './ledger.ts'
import { type Run, runHere } from './run-command.ts'

let service: TestService
let directory: TestDirectory
let customer: Customer
/** The feed of the British register as the API answers it. */
let whole: { signal_ref: string }[]
beforeAll(async () => {
  // The clock is a day after the last snapshot of the demo world, so that its sources are confirmed.
  service = await startService({ world: 'demo_with_registers', now: () => new Date('2026-11-01T12:00:00Z') })
  const answer = await (await service.customer()).ask('/v1/signals/register-changes?jurisdiction=ukgc')
  whole = answer.body.data.signals
  expect(whole.length).toBeGreaterThan(8)
})
afterAll(() => service.close())
beforeEach(async () => {
  directory = await createTestDirectory()
  customer = await service.customer()
  return () => directory.remove()
})

const at = (name: string) => join(directory.path, name)
const ukgc = ['register-changes', '--jurisdiction', 'ukgc', '--page-size', '3', '--once']

const watch = (...args: string[]): Promise<Run> =>
  runHere(['watch', ...args], { key: customer.key, baseUrl: service.url, cwd: directory.path })

const eventsIn = async (name: string) =>
  (await readFile(at(name), 'utf8'))
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line))

const refsOf = (events: { signal_ref: string }[]) => events.map(({ signal_ref }) => signal_ref)
const paid = async () =>
  (await chargesOf(service, customer.accountRef)).reduce((sum, line) => sum + Number.parseInt(line, 10), 0)

describe('watch into a file', () => {
  test('watch appends every event to its file once, and a second run adds none', async () => {
    for (let runs = 0; runs < 2; runs++) {
      expect(await watch(...ukgc, '--out', 'events.ndjson')).toEqual({ code: 0, stdout: '', stderr: '' })
      expect(await eventsIn('events.ndjson')).toEqual(whole)
      expect(await paid()).toBe(whole.length)
    }
  })

  test.each([
    ['market-entries', '--market', 'ukgc'],
    ['platform-sites', '--platform', 'understudy'],
    [
      'register-changes',
      '--jurisdiction',
      'ukgc',
      '--event-type',
      'revoked',
      '--event-type',
      'removed_from_register',
    ],
  ])('watch follows the feed %s into a file', async (...feed) => {
    const { code, stderr } = await watch(...feed, '--once', '--out', 'events.ndjson')
    expect([code, stderr]).toEqual([0, ''])
    expect((await eventsIn('events.ndjson')).length).toBeGreaterThan(0)
  })

  test('watch repeats no line that was written before a kill but after the last saved cursor', async () => {
    const out = ['--out', 'events.ndjson']
    expect((await watch(...ukgc, ...out, '--max-credits', '3')).code).toBe(1)
    const saved = await readFile(at('events.ndjson.cursor'), 'utf8')
    await watch(...ukgc, ...out, '--max-credits', '6')
    expect(await eventsIn('events.ndjson')).toHaveLength(9)
    // The file is as a killed process leaves it: it has a line that the cursor does not know.
    await writeFile(at('events.ndjson.cursor'), saved)
    await truncate(at('events.ndjson'), (await readFile(at('events.ndjson'))).length - 100)
    expect((await watch(...ukgc, ...out)).code).toBe(0)
    expect(await eventsIn('events.ndjson')).toEqual(whole)
  })

  test('watch continues at the end of a file that was emptied', async () => {
    const out = ['--out', 'events.ndjson']
    await watch(...ukgc, ...out, '--max-credits', '3')
    await truncate(at('events.ndjson'))
    await watch(...ukgc, ...out)
    expect(await eventsIn('events.ndjson')).toEqual(whole.slice(3))
  })

  test('watch reports which sources are not confirmed', async () => {
    const feed = ['register-changes', '--jurisdiction', 'peru', '--once', '--out', 'events.ndjson']
    const { stderr } = await watch(...feed)
    expect(stderr).toMatch(/^\S+ this market: not_covered, last confirmed never\.\n$/)
  })

  test('watch stops if another program wrote to its file', async () => {
    const out = ['--out', 'events.ndjson']
    await watch(...ukgc, ...out, '--max-credits', '3')
    await appendFile(at('events.ndjson'), '{"signal_ref":"of another"}\n')
    const { code, stderr } = await watch(...ukgc, ...out)
    expect([code, stderr]).toEqual([1, expect.stringContaining('Another program wrote to events.ndjson')])
  })

  test('watch stops before it exceeds --max-credits, and reports it', async () => {
    const { code, stderr } = await watch(...ukgc, '--out', 'events.ndjson', '--max-credits', '4')
    expect([code, stderr]).toEqual([1, expect.stringContaining('max_credits_exceeded')])
    expect([await paid(), await eventsIn('events.ndjson')]).toEqual([3, whole.slice(0, 3)])
  })

  test('watch refuses the saved cursor of another feed', async () => {
    await watch(...ukgc, '--out', 'events.ndjson')
    const { code, stderr } = await watch(
      'register-changes',
      '--jurisdiction',
      'italy',
      '--once',
      '--out',
      'events.ndjson',
    )
    expect([code, stderr]).toEqual([1, expect.stringContaining('events.ndjson.cursor is of ')])
  })

  test("watch prints the service's message about a wrong filter", async () => {
    const { code, stderr } = await watch(
      'register-changes',
      '--jurisdiction',
      'ukcg',
      '--once',
      '--out',
      'events',
    )
    expect([code, stderr]).toEqual([1, expect.stringMatching(/did you mean "ukgc"\?/)])
  })

  test('watch --once reports an unreachable service', async () => {
    const options = { key: customer.key, baseUrl: 'http://127.0.0.1:1', cwd: directory.path }
    const { code, stderr } = await runHere(['watch', ...ukgc, '--out', 'events'], options)
    expect([code, stderr]).toEqual([1, expect.stringContaining('No answer from 127.0.0.1:1')])
  })
})

describe('watch with a command', () => {
  const exec = (command: string) => ['--exec', command, '--cursor', 'place']

  test('watch runs a command for each event, with the event as its input', async () => {
    const command = 'cat >> seen; echo "$BAIZE_SIGNAL_REF" >> refs'
    expect((await watch(...ukgc, ...exec(command))).code).toBe(0)
    expect(await eventsIn('seen')).toEqual(whole)
    expect((await readFile(at('refs'), 'utf8')).trim().split('\n')).toEqual(refsOf(whole))
    await watch(...ukgc, ...exec(command))
    expect(await eventsIn('seen')).toHaveLength(whole.length)
  })

  test('watch stops if its command fails, and runs it again for that event', async () => {
    const command = '[ $(wc -l < seen) -ne 4 ] && cat >> seen'
    await writeFile(at('seen'), '')
    const { code, stderr } = await watch(...ukgc, ...exec(command))
    expect([code, stderr]).toEqual([1, `baize-api: The command ended with 1 for ${whole[4]?.signal_ref}.\n`])
    expect((await watch(...ukgc, ...exec('cat >> seen'))).code).toBe(0)
    expect(await eventsIn('seen')).toEqual(whole)
    expect(await paid()).toBe(whole.length)
  })

  test('the command of watch need not read its input', async () => {
    expect((await watch(...ukgc, ...exec('true'))).code).toBe(0)
  })
})
