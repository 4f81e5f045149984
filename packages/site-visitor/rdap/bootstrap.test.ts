import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createTestDirectory } from '../../../test/harness/directory.ts'
import { eventually } from '../../../test/harness/eventually.ts'
import type { PageAnswer } from '../capture-answer.ts'
import { type AskForDocument, RdapBootstrap, readServices } from './bootstrap.ts'

const document = (label: string, ...urls: string[]) =>
  JSON.stringify({ version: '1.0', services: [[[label], urls]] })
const answer = (status: number, text = '', headers: Record<string, string> = {}): PageAnswer => ({
  status,
  headers,
  location: null,
  body: Buffer.from(text),
  truncated: false,
  certificate: null,
})

const hourMs = 60 * 60_000

function bootstrapOf(source: string | null, ask: AskForDocument | null) {
  let nowMs = Date.parse('2026-11-01T00:00:00Z')
  const bootstrap = new RdapBootstrap({ source, ask, now: () => new Date(nowMs), attemptGapMs: 0 })
  return { bootstrap, pass: (ms: number) => (nowMs += ms) }
}

test('the shipped list has the RDAP servers of top-level domains, and no server for some', async () => {
  const { bootstrap } = bootstrapOf(null, null)
  expect(await bootstrap.serversOf('casino.com')).toEqual(['https://rdap.verisign.com/com/v1/'])
  expect((await bootstrap.serversOf('casino.co.uk')).length).toBe(1)
  for (const domain of ['casino.es', 'casino.ro', 'casino.se', 'casino.example'])
    expect(await bootstrap.serversOf(domain)).toEqual([])
})

test('the list of RDAP servers is requested once a day, with the ETag of the last copy', async () => {
  const etags: (string | null)[] = []
  const { bootstrap, pass } = bootstrapOf(null, async (_url, { etag }) => {
    etags.push(etag)
    return etag === null ? answer(200, document('com', 'https://new.example/'), { etag: '"1"' }) : answer(304)
  })
  await bootstrap.serversOf('casino.com')
  await eventually('the new list is in use', async () =>
    (await bootstrap.serversOf('casino.com')).includes('https://new.example/'),
  )
  pass(23 * hourMs)
  await bootstrap.serversOf('casino.com')
  pass(hourMs)
  await bootstrap.serversOf('casino.com')
  await eventually('it has asked again', () => etags.length === 2)
  expect(etags).toEqual([null, '"1"'])
  expect(await bootstrap.serversOf('casino.com')).toEqual(['https://new.example/'])
})

test.each([
  ['an error page', answer(503)],
  ['no JSON', answer(200, '<html>')],
  ['a list without services', answer(200, '{"services":[]}')],
  ['a cut list', { ...answer(200, document('com', 'https://new.example/')), truncated: true } as PageAnswer],
])(
  'a refresh of the list that gets %s keeps the last copy, and is repeated later',
  async (_name, refusal) => {
    let asked = 0
    const { bootstrap, pass } = bootstrapOf('https://rdap.example/dns.json', async () => {
      asked += 1
      return refusal
    })
    expect(await bootstrap.serversOf('casino.com')).toEqual(['https://rdap.verisign.com/com/v1/'])
    const first = asked
    expect(await bootstrap.serversOf('casino.com')).toHaveLength(1)
    expect(asked).toBe(first)
    pass(1.5 * hourMs)
    await bootstrap.serversOf('casino.com')
    expect(asked).toBeGreaterThan(first)
  },
)

test('a file of the operator replaces the shipped list of RDAP servers', async () => {
  const directory = await createTestDirectory()
  const path = join(directory.path, 'dns.json')
  await writeFile(
    path,
    document('example', 'http://plain.example', 'https://rdap.example/', 'ftp://x.example/'),
  )
  const { bootstrap } = bootstrapOf(path, null)
  expect(await bootstrap.serversOf('luckyotter.example')).toEqual([
    'https://rdap.example/',
    'http://plain.example',
  ])
  expect(await bootstrap.serversOf('casino.com')).toEqual([])
  await rm(path)
  await directory.remove()
})

test.each(['', '[]', '{"services":[1]}', '{"services":[[["com"],"https://rdap.example/"]]}'])(
  'the document %j is refused as a list of RDAP servers',
  text => expect(() => readServices(text)).toThrow(),
)
