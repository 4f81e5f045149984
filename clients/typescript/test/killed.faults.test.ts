import { existsSync } from 'node:fs'
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestDirectory, type TestDirectory } from '../../../test/harness/directory.ts'
import { eventually } from '../../../test/harness/eventually.ts'
import { loadLines } from '../../../test/harness/load-lines.ts'
import { type Customer, startService, type TestService } from '../../../test/harness/service.ts'
import { type FaultyProxy, startFaultyProxy } from './faulty-proxy.ts'
import { chargesOf } from './ledger.ts'
import { commandSources, type Run, startCommand } from './run-command.ts'

let service: TestService
let proxy: FaultyProxy
let directory: TestDirectory
let customer: Customer
beforeAll(async () => {
  service = await startService({ world: 'demo_with_registers' })
  proxy = await startFaultyProxy(service.url)
})
afterAll(async () => {
  await proxy.close()
  await service.close()
})
beforeEach(async () => {
  directory = await createTestDirectory()
  customer = await service.customer({ credits: 100_000 })
  proxy.next()
  proxy.seen.length = 0
  proxy.onAnswer = null
  return () => directory.remove()
})

const at = (name: string) => join(directory.path, name)
const start = (...args: string[]) =>
  startCommand(args, { key: customer.key, baseUrl: proxy.url, cwd: directory.path })
const charges = () => chargesOf(service, customer.accountRef)

/**
 * Ends the command when the proxy has the answer to the request with this number. The answer does not
 * arrive.
 */
function endAt(number: number, signal: NodeJS.Signals, ...args: string[]): Promise<Run> {
  const { child, ended } = start(...args)
  proxy.onAnswer = async seen => {
    if (seen !== number) return
    child.kill(signal)
    await ended
  }
  return ended
}

describe('verdicts of a file', () => {
  const domains = Array.from({ length: 2_500 }, (_, index) => `portfolio-${index}.example`)
  const command = ['verdicts', 'domains.txt', '--yes', '--out', 'verdicts.csv']

  async function expectAll(): Promise<void> {
    const csv = await readFile(at('verdicts.csv'), 'utf8')
    const rows = parse(csv, { columns: true }) as { input: string }[]
    expect(rows.map(({ input }) => input)).toEqual(domains)
    expect(await charges()).toEqual(['1000 domain.verdict', '1000 domain.verdict', '500 domain.verdict'])
    expect(existsSync(at('verdicts.csv.journal'))).toBe(false)
  }

  // The first request reads the balance.
  test.each([1, 2, 3, 4])(
    'verdicts of a file continue after kill -9 at answer %i, and are paid once',
    async number => {
      await writeFile(at('domains.txt'), domains.join('\n'))
      expect((await endAt(number, 'SIGKILL', ...command)).code).toBe(null)
      expect(existsSync(at('verdicts.csv'))).toBe(false)
      proxy.onAnswer = null
      const { code, stderr } = await start(...command).ended
      expect([code, stderr]).toEqual([0, expect.stringMatching(/2,500 no_record\. [\d,]+ credits charged/)])
      await expectAll()
    },
  )

  test('verdicts of a file stop at Ctrl-C, print how to continue, and can continue', async () => {
    await writeFile(at('domains.txt'), domains.join('\n'))
    const stopped = await endAt(3, 'SIGINT', ...command)
    expect(stopped.code).toBe(130)
    expect(stopped.stderr).toContain('The same command continues, and pays nothing twice')
    proxy.onAnswer = null
    const unlimited = command.filter(word => word !== '--yes')
    const refused = await start(...unlimited, '--max-credits', '999').ended
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringContaining('It could cost 1,000 credits; --max-credits allows 999. Nothing was charged.'),
    ])
    // The second batch is paid already, so only the last 500 domains can be charged.
    const { code, stderr } = await start(...unlimited, '--max-credits', '1000').ended
    const price =
      '1,500 inputs cost at most 1,500 credits, 1 a registrable domain. ' +
      '1,000 of them may be paid already, and free then. 1,000 credits charged before.'
    expect([code, stderr]).toEqual([0, expect.stringContaining(price)])
    await expectAll()
  })

  test('verdicts of a file are complete although responses are lost, cut off and sent twice', async () => {
    await writeFile(at('domains.txt'), domains.join('\n'))
    proxy.next('none', 'lose', 'cut', 'double', 'drop', 'garble', 'double')
    expect((await start(...command).ended).code).toBe(0)
    await expectAll()
  })

  test('verdicts of 10,000 domains take less than 5 seconds', async () => {
    const many = Array.from({ length: 10_000 }, (_, index) => `of-ten-thousand-${index}.example`)
    const listed = many.filter((_, index) => index % 2 === 0)
    const entryOf = (domain: string) => ({ kind: 'blocklist_entry', regulator: 'poland', domain })
    await loadLines(service.service.live, listed.map(entryOf))
    await writeFile(at('domains.txt'), many.join('\n'))
    // The best of three runs counts, because other programs use the machine.
    const seconds: number[] = []
    for (let runs = 0; runs < 3; runs++) {
      const startedAt = performance.now()
      const options = { key: customer.key, baseUrl: service.url, cwd: directory.path }
      const { code, stderr } = await startCommand(command, options).ended
      seconds.push((performance.now() - startedAt) / 1000)
      expect([code, stderr]).toEqual([0, expect.stringContaining('5,000 blocklisted, 5,000 no_record.')])
    }
    console.log(`10,000 verdicts of a file: ${seconds.map(each => each.toFixed(2)).join(', ')} seconds`)
    expect(Math.min(...seconds)).toBeLessThan(5)
  })
})

// The program `script` of util-linux gives a command a terminal.
describe.skipIf(!existsSync('/usr/bin/script'))('verdicts on a terminal', () => {
  const quoted = `${process.execPath} ${commandSources} verdicts domains.txt --out verdicts.csv`

  async function onTerminal(input: string): Promise<string> {
    await writeFile(at('domains.txt'), 'luckyotter.example\nneverheard.example')
    const program = ['/usr/bin/script', '-qec', quoted, '/dev/null']
    const options = { key: customer.key, baseUrl: service.url, cwd: directory.path, input, question, program }
    return (await startCommand([], options).ended).stdout
  }
  const question =
    '2 inputs cost at most 2 credits, 1 a registrable domain. Available: 100,000 credits. Go on? [y/N]'

  test('verdicts on a terminal asks before it pays, and shows its progress', async () => {
    const shown = await onTerminal('y\n')
    expect(shown).toContain(`\r[${'#'.repeat(30)}] 2 of 2, 2 credits charged`)
    expect(await charges()).toEqual(['2 domain.verdict'])
  })

  test.each([
    ['no', 'n\n'],
    ['an empty line', '\n'],
    ['Ctrl-C', '\u0003'],
    ['Ctrl-D', '\u0004'],
  ])('verdicts on a terminal pays nothing after %s, and leaves no file behind', async (_, answer) => {
    const shown = await onTerminal(answer)
    expect(shown).toMatch(/Nothing was charged\.|Stopped\./)
    expect(await charges()).toEqual([])
    expect(await readdir(directory.path)).toEqual(['domains.txt'])
  })
})

describe('watch', () => {
  const command = ['watch', 'register-changes', '--jurisdiction', 'ukgc', '--page-size', '3']
  const out = ['--out', 'events.ndjson']
  let whole: { signal_ref: string }[]
  beforeAll(async () => {
    const answer = await (await service.customer()).ask('/v1/signals/register-changes?jurisdiction=ukgc')
    whole = answer.body.data.signals
  })

  const eventsIn = async (name: string) =>
    (await readFile(at(name), 'utf8'))
      .trim()
      .split('\n')
      .map(line => JSON.parse(line))

  const wholeBytes = () => Buffer.byteLength(whole.map(event => `${JSON.stringify(event)}\n`).join(''))

  async function expectWhole(): Promise<void> {
    expect(await eventsIn('events.ndjson')).toEqual(whole)
    const paid = (await charges()).reduce((sum, line) => sum + Number.parseInt(line, 10), 0)
    expect(paid).toBe(whole.length)
  }

  test.each([1, 2, 3, 4])(
    'watch continues after kill -9 at answer %i without a gap, a repetition or a second payment',
    async number => {
      expect((await endAt(number, 'SIGKILL', ...command, ...out)).code).toBe(null)
      proxy.onAnswer = null
      expect((await start(...command, ...out, '--once').ended).code).toBe(0)
      await expectWhole()
    },
  )

  test('watch continues after many kills at random moments', async () => {
    for (let before = 0; before < wholeBytes(); ) {
      const { child, ended } = start(...command, ...out)
      before = await eventually('something is written', async () => {
        const { size } = await stat(at('events.ndjson')).catch(() => ({ size: 0 }))
        return size > before ? size : 0
      })
      child.kill('SIGKILL')
      await ended
    }
    expect((await start(...command, ...out, '--once').ended).code).toBe(0)
    await expectWhole()
  })

  test('watch waits for an unreachable service, and exits with 0 at SIGTERM', async () => {
    proxy.next('none', 'drop', 'drop', 'drop', 'busy', 'busy', 'busy')
    const { child, ended } = start(...command, ...out, '--every', '1')
    await eventually('all events are written', async () => {
      const { size } = await stat(at('events.ndjson')).catch(() => ({ size: 0 }))
      return size === wholeBytes()
    })
    child.kill('SIGTERM')
    const { code, stderr } = await ended
    expect(code).toBe(0)
    expect(stderr).toContain('Trying again in 1 second.')
    await expectWhole()
  })

  test('watch killed while its command runs starts the command again for the same event only', async () => {
    // The command kills its parent, which is the process that runs sh.
    const exec = 'cat >> seen; test -e killed || { touch killed; kill -9 $PPID; }'
    const args = [...command, '--exec', exec, '--cursor', 'place', '--once']
    expect((await start(...args).ended).code).toBe(null)
    expect((await start(...args).ended).code).toBe(0)
    expect(await eventsIn('seen')).toEqual([whole[0], ...whole])
  })
})
