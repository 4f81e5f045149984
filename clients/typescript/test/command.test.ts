import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { demoKey } from '../../../src/core/api-key.ts'
import { createTestDirectory, type TestDirectory } from '../../../test/harness/directory.ts'
import { type Customer, startService, type TestService } from '../../../test/harness/service.ts'
import { chargesOf } from './ledger.ts'
import { type Run, type RunOptions, runCommand, runHere } from './run-command.ts'

let service: TestService
let directory: TestDirectory
let customer: Customer
beforeAll(async () => {
  service = await startService({ world: 'demo_with_registers' })
  directory = await createTestDirectory()
})
afterAll(async () => {
  await directory.remove()
  await service.close()
})

const at = (name: string) => join(directory.path, name)

function run(args: readonly string[], options: RunOptions = {}): Promise<Run> {
  return runHere(args, { key: customer.key, baseUrl: service.url, cwd: directory.path, ...options })
}

async function newCustomer(credits?: number): Promise<void> {
  customer = await service.customer(credits === undefined ? {} : { credits })
}

const rowsOf = (csv: string) => parse(csv, { columns: true }) as Record<string, string>[]

let files = 0
async function fileOf(...lines: string[]): Promise<string> {
  files += 1
  await writeFile(at(`domains-${files}.txt`), lines.join('\n'))
  return `domains-${files}.txt`
}

describe('baize-api', () => {
  test("baize-api --help lists the commands, and each command's --help shows its usage", async () => {
    await newCustomer()
    const { code, stdout } = await run(['--help'])
    expect(code).toBe(0)
    for (const name of ['verdict', 'verdicts', 'company', 'watch', 'usage']) {
      expect(stdout).toMatch(new RegExp(`^  ${name} `, 'm'))
      expect((await run([name, '--help'])).stdout).toMatch(new RegExp(`^Usage: baize-api ${name} `))
    }
  })

  test.each([
    [['verdictz'], 'There is no command "verdictz"; there are verdict, verdicts, company, portfolio, watch,'],
    [['verdict', '--jsn', 'a.example'], "Unknown option '--jsn'"],
    [['verdict'], 'Name a domain'],
    [['verdict', 'a.example', '--json', '--csv'], 'With --json, omit --csv.'],
    [['verdicts'], 'Name one file'],
    [['verdicts', '-'], 'With "-", name the output: --out FILE.'],
    [['verdicts', 'a.txt', '--out', './a.txt'], '--out would replace a.txt; name another file.'],
    [['company'], 'Name a Company'],
    [['receipt'], 'Name one file with a receipt.'],
    [['portfolio'], 'Name what to do: put, show, changes or delete.'],
    [['portfolio', 'put', 'x'], '"put" needs a name and a file.'],
    [
      ['watch', 'news'],
      'Name one feed: market-entries, platform-sites, register-changes, portfolio-changes.',
    ],
    [['watch', 'register-changes'], 'Name a file, --out FILE, or a command, --exec COMMAND.'],
    [['watch', 'register-changes', '--exec', 'true'], 'With --exec, name the file of the cursor'],
  ])('baize-api refuses the arguments %j with what is accepted', async (args, message) => {
    await newCustomer()
    const { code, stdout, stderr } = await run(args)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain(message)
    expect(stderr).toContain('--help')
  })

  test('baize-api without a key prints which variable to set', async () => {
    const { code, stderr } = await runHere(['usage'])
    expect([code, stderr]).toEqual([
      1,
      'baize-api: There is no API key. Set BAIZE_API_KEY, or pass { apiKey: "client_…" }.\n',
    ])
  })

  test('baize-api prints an error of the service in one line with a link, and no stack', async () => {
    const { code, stderr } = await run(['usage'], { key: 'client_wrong' })
    expect(code).toBe(1)
    expect(stderr).toMatch(
      /^baize-api: Unauthorized \(401, request [\w-]+\)\nSee http:\/\/baize\.test\/docs\/keys\n$/,
    )
  })
})

describe('verdict', () => {
  const domains = ['luckyotter.example', 'https://www.redkite-casino.example/lobby', 'neverheard.example']

  test('verdict prints a table and the credits charged', async () => {
    await newCustomer()
    const { code, stdout, stderr } = await run(['verdict', ...domains])
    expect(code).toBe(0)
    const lines = stdout.split('\n')
    expect(lines[0]).toMatch(/^INPUT +VERDICT +LICENSED_BY +BLOCKED_BY +COMPANY$/)
    expect(lines[1]).toMatch(
      /^luckyotter\.example +licensed +mga MGA\/B2C\/9901\/2019; ukgc .* Ottermoor Gaming$/,
    )
    expect(lines[2]).toMatch(/^https:.*lobby +blocklisted +czechia; italy; poland$/)
    expect(stderr).toContain('It does not mean that the site is unlicensed.')
    expect(stderr).toContain('3 credits charged.')
  })

  test('verdict prints the answers as one JSON list', async () => {
    await newCustomer()
    const { stdout, stderr } = await run(['verdict', ...domains, '--json'])
    const rows = JSON.parse(stdout)
    expect(rows.map(({ input, verdict }: { input: string; verdict: string }) => [input, verdict])).toEqual([
      [domains[0], 'licensed'],
      [domains[1], 'blocklisted'],
      [domains[2], 'no_record'],
    ])
    expect(stderr).toBe('')
  })

  test('verdict prints why an input is not a domain, and exits with 1', async () => {
    await newCustomer()
    const { code, stdout } = await run(['verdict', '10.0.0.1', 'luckyotter.example', '--csv'])
    expect(code).toBe(1)
    const rows = rowsOf(stdout)
    expect(rows).toMatchObject([
      { input: '10.0.0.1', verdict: '', problem: expect.stringContaining('invalid_domain: ') },
      { input: 'luckyotter.example', verdict: 'licensed', problem: '' },
    ])
  })

  test('verdict prints the verdicts that were paid before the balance was used up', async () => {
    await newCustomer(1)
    const { code, stdout, stderr } = await run([
      'verdict',
      'luckyotter.example',
      'neverheard.example',
      '--csv',
    ])
    expect(code).toBe(1)
    expect(rowsOf(stdout)).toHaveLength(1)
    expect(stderr).toContain('quota_exceeded')
  })

  test('verdict works with the demo key', async () => {
    const { stdout } = await run(['verdict', 'luckyotter.example', '--json'], { key: demoKey })
    expect(JSON.parse(stdout)).toMatchObject([{ verdict: 'licensed', demo: true }])
  })
})

describe('verdicts', () => {
  const lines = [
    '# my portfolio',
    'luckyotter.example',
    '',
    ' redkite-casino.example ',
    '10.0.0.1',
    'luckyotter.example',
  ]

  test('verdicts writes a CSV in the order of the file, and pays for a domain once', async () => {
    await newCustomer()
    const { code, stdout, stderr } = await run(['verdicts', await fileOf(...lines), '--yes'])
    expect(code).toBe(0)
    const rows = rowsOf(stdout)
    expect(rows.map(({ input, verdict }) => [input, verdict])).toEqual([
      ['luckyotter.example', 'licensed'],
      ['redkite-casino.example', 'blocklisted'],
      ['10.0.0.1', ''],
      ['luckyotter.example', 'licensed'],
    ])
    expect(stderr).toBe(
      '3 inputs cost at most 3 credits, 1 a registrable domain. Available: 1,000 credits.\n' +
        '4 rows: 2 licensed, 1 blocklisted, 1 without a verdict. 2 credits charged.\n',
    )
    expect(await chargesOf(service, customer.accountRef)).toEqual(['2 domain.verdict'])
  })

  test('verdicts of one domain are described in the singular', async () => {
    await newCustomer()
    const { stderr } = await run(['verdicts', await fileOf('luckyotter.example'), '--yes'])
    expect(stderr).toContain('1 input costs at most 1 credit, 1 a registrable domain.')
    expect(stderr).toContain('1 row: 1 licensed. 1 credit charged.')
  })

  test('verdicts writes JSON into a file, and leaves no other file behind', async () => {
    await newCustomer()
    const file = await fileOf(...lines)
    const { code, stdout } = await run([
      'verdicts',
      file,
      '--json',
      '--out',
      'out.json',
      '--max-credits',
      '3',
    ])
    expect([code, stdout]).toEqual([0, ''])
    const rows = JSON.parse(await readFile(at('out.json'), 'utf8'))
    expect(rows).toMatchObject([
      { input: 'luckyotter.example', verdict: 'licensed', company: { name: 'Ottermoor Gaming' } },
      { input: 'redkite-casino.example', verdict: 'blocklisted' },
      { input: '10.0.0.1', code: 'invalid_domain' },
      { input: 'luckyotter.example' },
    ])
    for (const left of ['out.json.journal', 'out.json.journal.lock', 'out.json.part'])
      await expect(readFile(at(left))).rejects.toThrow('ENOENT')
  })

  test('verdicts reads stdin with Windows line ends and a byte order mark', async () => {
    await newCustomer()
    const input = '\uFEFFluckyotter.example\r\nredkite-casino.example\r\n'
    const { key } = customer
    const options = { key, baseUrl: service.url, cwd: directory.path, input }
    await runCommand(['verdicts', '-', '--yes', '--out', 'stdin.csv'], options)
    const rows = rowsOf(await readFile(at('stdin.csv'), 'utf8'))
    expect(rows.map(({ domain }) => domain)).toEqual(['luckyotter.example', 'redkite-casino.example'])
  })

  test.each([
    [2, [], 'cost at most 3 credits', 'add --yes, or --max-credits N'],
    [2, ['--max-credits', 'many'], '--max-credits must be a whole number', ''],
    [1, ['--max-credits', '2'], 'It could cost 3 credits; --max-credits allows 2.', 'Nothing was charged.'],
  ])('verdicts exits with %i and pays nothing with %j', async (expected, flags, first, second) => {
    await newCustomer()
    const { code, stdout, stderr } = await run(['verdicts', await fileOf(...lines), ...flags])
    expect([code, stdout]).toEqual([expected, ''])
    expect(stderr).toContain(first)
    expect(stderr).toContain(second)
    expect((await readdir(directory.path)).filter(name => name.includes('journal'))).toEqual([])
    expect(await chargesOf(service, customer.accountRef)).toEqual([])
  })

  test('verdicts stops when the balance is used up, and continues after credits are added', async () => {
    await newCustomer(1)
    const file = await fileOf('luckyotter.example', 'redkite-casino.example')
    const failed = await run(['verdicts', file, '--yes'])
    expect([failed.code, failed.stdout]).toEqual([1, ''])
    expect(failed.stderr).toContain('The balance may not cover it. Nothing was charged now.')
    expect(await chargesOf(service, customer.accountRef)).toEqual([])
    const rich = await service.customer()
    const done = await run(['verdicts', file, '--yes'], { key: rich.key })
    expect([done.code, parse(done.stdout)]).toEqual([0, expect.arrayContaining([])])
    expect(await chargesOf(service, rich.accountRef)).toEqual(['2 domain.verdict'])
  })

  test('verdicts refuses a journal that was written for another input file', async () => {
    await newCustomer()
    await writeFile(at('other.csv.journal'), '{"baize_verdicts":1,"sha256":"of something else"}\n')
    const { code, stderr } = await run(['verdicts', await fileOf('a.example'), '--yes', '--out', 'other.csv'])
    expect([code, stderr]).toEqual([1, expect.stringContaining('is of other inputs or another service')])
    await rm(at('other.csv.journal'))
  })

  test('verdicts refuses to run while another process writes the same files', async () => {
    await newCustomer()
    await writeFile(at('locked.csv.journal.lock'), String(process.pid))
    const file = await fileOf('luckyotter.example')
    const refused = await run(['verdicts', file, '--yes', '--out', 'locked.csv'])
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringContaining(`Process ${process.pid} works`),
    ])
    // The lock file has the number of a process that does not exist.
    await writeFile(at('locked.csv.journal.lock'), '99999999')
    expect((await run(['verdicts', file, '--yes', '--out', 'locked.csv'])).code).toBe(0)
  })

  test('verdicts screens the demo list with the demo key for free', async () => {
    const five = ['luckyotter', 'redkite-casino', 'twofaced', 'poker.morningheron', 'neverheard']
    const file = await fileOf(...five.map(name => `${name}.example`))
    const { stdout, stderr } = await run(['verdicts', file, '--yes', '--json'], { key: demoKey })
    expect(JSON.parse(stdout)).toHaveLength(5)
    expect(stderr).toContain(' 0 credits charged.')
  })
})

describe('company', () => {
  test.each([[['luckyotter.example']], [['Ottermoor', 'Gaming']]])(
    'company finds the Company by %j and prints its profile',
    async words => {
      await newCustomer()
      const { code, stdout, stderr } = await run(['company', ...words])
      expect(code).toBe(0)
      expect(stdout).toMatch(/^company_name +Ottermoor Gaming$/m)
      expect(stdout).toMatch(/^domains +.*luckyotter\.example/m)
      expect(stderr).toBe('3 credits charged.\n')
    },
  )

  test('company finds a Company by the reference in a verdict, and by a license number', async () => {
    await newCustomer()
    const verdict = await run(['verdict', 'luckyotter.example', '--json'])
    const ref = JSON.parse(verdict.stdout)[0].company.company_ref
    const byRef = await run(['company', ref, '--json'])
    expect(JSON.parse(byRef.stdout)).toMatchObject({
      resolved_by: 'company_ref',
      companies: [{ company_ref: ref }],
    })
    const byLicense = await run([
      'company',
      '--license',
      'MGA/B2C/9901/2019',
      '--jurisdiction',
      'mga',
      '--csv',
    ])
    expect(rowsOf(byLicense.stdout)).toMatchObject([{ company_ref: ref }])
  })

  test('company refuses a profile that costs more than --max-credits', async () => {
    await newCustomer()
    const { code, stderr } = await run(['company', 'luckyotter.example', '--max-credits', '2'])
    expect([code, stderr]).toEqual([1, expect.stringContaining('max_credits_exceeded')])
    expect(await chargesOf(service, customer.accountRef)).toEqual([])
  })

  test('company suggests the free search if no Company has the name', async () => {
    await newCustomer()
    const { code, stderr } = await run(['company', 'Nobody', 'At', 'All'])
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/No Company has exactly the name "Nobody At All"\..*\(404, not_found/),
    ])
    const { stderr: others } = await run(['company', 'Otter'])
    expect(others).toContain('No Company has exactly the name "Otter". The free preview of a search finds')
    expect(others).toContain('Free: GET /v1/companies/search/preview?q=Otter')
  })
})

describe('usage', () => {
  test('usage prints the account as a table, CSV and JSON', async () => {
    await newCustomer(1234)
    await customer.ask('/v1/domains/resolve?domain=a.example')
    expect((await run(['usage'])).stdout).toMatch(/^available_credits +1,233$/m)
    expect(rowsOf((await run(['usage', '--csv'])).stdout)).toEqual([
      {
        plan: 'growth',
        credits_granted: '1234',
        credits_used: '1',
        credits_reserved: '0',
        available_credits: '1233',
      },
    ])
    expect(JSON.parse((await run(['usage', '--json'])).stdout)).toMatchObject({ credits_used: 1 })
  })

  test('usage prints that an account has no quota', async () => {
    const { key } = await service.customer({ plan: 'internal' })
    expect((await run(['usage'], { key })).stdout).toMatch(/^credits_granted +no quota$/m)
  })
})
