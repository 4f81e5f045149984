import { compactVerify, createLocalJWKSet, decodeProtectedHeader, type JSONWebKeySet } from 'jose'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { declaredData } from '../../../test/harness/declared-schema.ts'
import { eventually } from '../../../test/harness/eventually.ts'
import { loadLines } from '../../../test/harness/load-lines.ts'
import { type Customer, startService, type TestService } from '../../../test/harness/service.ts'
import { dumpWorld } from '../../dataset/index.ts'
import { day, entry, fakeStream, fileOf, syncApproved } from '../../registers/fixture.ts'
import { discardSnapshot } from '../../registers/index.ts'
import { aCommand } from '../audit/index.ts'
import { observationSections } from '../domains/index.ts'
import { suppressPerson } from '../people/index.ts'
import { hashOf, sha256 } from './fixture.ts'
import { rotateReceiptKey } from './index.ts'

const now = new Date()
let service: TestService
let customer: Customer
beforeAll(async () => {
  service = await startService({ world: 'demo_with_registers', now: () => now })
  customer = await service.customer({ credits: 10_000 })
})
afterAll(() => service.close())

const published = async (): Promise<JSONWebKeySet> => (await service.ask('/.well-known/jwks.json')).body

/** Verifies with the library jose, as a stranger would. Shares no code with the service. */
async function verified(receipt: string, keys?: JSONWebKeySet) {
  const { payload } = await compactVerify(receipt, createLocalJWKSet(keys ?? (await published())))
  return JSON.parse(new TextDecoder().decode(payload))
}

const resolve = (query: string, headers: Record<string, string> = {}) =>
  customer.ask(`/v1/domains/resolve?${query}`, { headers })
const resolveAll = (body: object) =>
  customer.ask('/v1/domains/resolve', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
const license = (query: string) => customer.ask(`/v1/licenses/resolve?${query}`)

test('a receipt verifies with jose, and states the request, the answer and the evidence', async () => {
  const { body } = await resolve('domain=https://www.twofaced.example/x&receipt=true')
  expect(declaredData('resolve_domain')(body.data)).toBeNull()
  const { receipt, ...answer } = body.data
  const keys = await published()
  expect(decodeProtectedHeader(receipt)).toEqual({
    alg: 'EdDSA',
    typ: 'baize-receipt+jwt',
    kid: keys.keys[0]?.kid,
  })
  const payload = await verified(receipt)
  expect(payload).toEqual({
    iss: 'http://baize.test',
    iat: Math.floor(now.getTime() / 1_000),
    jti: expect.stringMatching(/^rec_\w{20}$/),
    request: { operation: 'resolve_domain', parameters: { domain: 'twofaced.example', receipt: true } },
    answer_sha256: hashOf(answer),
    verdict: 'mixed',
    licensed_by: answer.licensed_by,
    blocked_by: answer.blocked_by,
    evidence: expect.any(Array),
    position: { signals: expect.any(Number), verdict_changes: expect.any(Number) },
    rules: {
      service: { name: 'baize', version: expect.stringMatching(/^\d/) },
      public_suffix_list: { package: 'tldts', version: expect.stringMatching(/^\d/) },
    },
  })
  expect(payload.evidence).not.toEqual([])
  const { evidence } = payload
  expect(evidence.every((each: { rows: unknown[] }) => each.rows.length > 0)).toBe(true)

  const altered = receipt.replace(/\.(.)/, (_: string, first: string) => `.${first === 'e' ? 'f' : 'e'}`)
  await expect(verified(altered)).rejects.toThrow('signature verification failed')
})

test('an answer without a receipt has the same bytes and the same charge', async () => {
  const plain = await resolve('domain=luckyotter.example')
  const unsigned = await resolve('domain=luckyotter.example&receipt=false')
  const signed = await resolve('domain=luckyotter.example&receipt=true')
  expect(unsigned.text).toBe(plain.text)
  expect(signed.text.replace(/,"receipt":"[\w.-]+"/, '')).toBe(plain.text)
  for (const { body, headers } of [plain, unsigned, signed])
    expect([body.data.credits_charged, headers.get('x-credits-charged')]).toEqual([1, '1'])
  const before = (await customer.ask('/v1/account')).body.data.credits_used
  await license('license_number=OGL/2024/9901/0901&receipt=true')
  await resolveAll({ domains: ['luckyotter.example', 'neverheard.example'], receipt: true })
  const { credits_used } = (await customer.ask('/v1/account')).body.data
  const price = (await license('license_number=OGL/2024/9901/0901')).body.data.credits_charged
  expect(credits_used - before).toBe(price + 2)
})

test('a stored answer replays its receipt byte for byte, also after the key was rotated', async () => {
  const key = { 'idempotency-key': 'a-receipt' }
  const first = await resolve('domain=luckyotter.example&receipt=true', key)
  const saved = await published()
  await rotateReceiptKey(service.service.live, { now, by: aCommand })
  const replayed = await resolve('domain=luckyotter.example&receipt=true', key)
  expect(replayed.headers.get('idempotency-replayed')).toBe('true')
  expect(replayed.text).toBe(first.text)
  const { receipt } = first.body.data
  expect(await verified(receipt)).toEqual(await verified(receipt, saved))
  const later = (await resolve('domain=luckyotter.example&receipt=true')).body.data.receipt
  expect(decodeProtectedHeader(later).kid).not.toBe(decodeProtectedHeader(receipt).kid)
  await verified(later)
  expect((await resolve('domain=luckyotter.example', key)).status).toBe(409)
})

test('a key that is rotated while an answer waits to be charged leaves a valid receipt', async () => {
  const { database } = service.service.live
  const used = async () => (await customer.ask('/v1/account')).body.data.credits_used
  const before = await used()
  const key = { 'idempotency-key': 'rotated-between' }
  const { asking } = await database.transaction().execute(async tx => {
    await sql`select from account_balances for update`.execute(tx)
    const asking = resolve('domain=luckyotter.example&receipt=true', key)
    await eventually('the charge waits for the balance', async () => {
      const { rows } = await sql`
        select from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock'`.execute(tx)
      return rows.length > 0
    })
    await rotateReceiptKey(service.service.live, { now, by: aCommand })
    return { asking }
  })
  const answer = await asking
  const { receipt } = answer.body.data
  expect((await verified(receipt)).verdict).toBe('licensed')
  expect((await resolve('domain=luckyotter.example&receipt=true', key)).text).toBe(answer.text)
  expect(await used()).toBe(before + 1)
})

test('a stranger with saved keys verifies a receipt after a correction changed the answer', async () => {
  const { live } = service.service
  const stream = fakeStream('latvia.drafts')
  const file = fileOf(entry('drafted.example'))
  const sync = (number: number, ...files: ReturnType<typeof fileOf>[]) =>
    syncApproved(live, stream, files, { takenAt: day(number), now: day(number) })
  await sync(1, fileOf(entry('other.example')))
  const { snapshot_ref } = await sync(2, file)
  const { receipt, ...answer } = (await resolve('domain=drafted.example&receipt=true')).body.data
  const saved = await published()
  await discardSnapshot(live, { snapshotRef: snapshot_ref as string, reason: 'a draft', now: day(3) })
  await rotateReceiptKey(live, { now, by: aCommand })
  expect((await resolve('domain=drafted.example')).body.data.verdict).toBe('no_record')
  const payload = await verified(receipt, saved)
  expect(payload).toMatchObject({ verdict: 'blocklisted', answer_sha256: hashOf(answer) })
  const hashes = []
  for await (const bytes of file.open()) hashes.push(sha256(Buffer.from(bytes).toString()))
  expect(payload.evidence).toMatchObject([{ stream: 'latvia.drafts', snapshot_ref, files: hashes }])
})

test('a receipt of a world that was dumped and imported elsewhere verifies with saved keys', async () => {
  const { receipt } = (await resolve('domain=golden-otter.example&receipt=true')).body.data
  const saved = await published()
  const lines: { kind: string }[] = []
  await dumpWorld(service.service.live, line => void lines.push(JSON.parse(line)))
  await using undo = new AsyncDisposableStack()
  const elsewhere = await startService()
  undo.defer(() => elsewhere.close())
  // Lines of logos name files of the store.
  const withoutFiles = lines.filter(({ kind }) => kind !== 'logo')
  await loadLines(elsewhere.service.live, withoutFiles)
  const other = await elsewhere.customer({ credits: 10 })
  const again = (await other.ask('/v1/domains/resolve?domain=golden-otter.example&receipt=true')).body.data
  const keysElsewhere: JSONWebKeySet = (await elsewhere.ask('/.well-known/jwks.json')).body
  expect(await verified(receipt, saved)).toMatchObject({ answer_sha256: expect.any(String) })
  expect(await verified(again.receipt, keysElsewhere)).toMatchObject({ verdict: again.verdict })
  await expect(verified(receipt, keysElsewhere)).rejects.toThrow('no applicable key')
})

test('the receipt of no_record names every stream, its snapshot and the hashes of its files', async () => {
  const { data } = (await resolve('domain=neverheard.example&receipt=true&checked_streams=true')).body
  const { evidence, verdict } = await verified(data.receipt)
  expect(verdict).toBe('no_record')
  const streams = data.checked.streams.map((each: Record<string, unknown>) => ({
    stream: each.stream,
    snapshot_ref: each.snapshot_ref,
    taken_at: each.last_snapshot_at,
  }))
  expect(evidence.map(({ files: _, rows: __, ...rest }: Record<string, unknown>) => rest)).toEqual(
    streams.toSorted((one: { stream: string }, other: { stream: string }) =>
      one.stream < other.stream ? -1 : 1,
    ),
  )
  const ukgc = evidence.find((each: { stream: string }) => each.stream === 'ukgc.licences')
  expect(ukgc.rows).toEqual([])
  const { files } = await service.service.live.database
    .selectFrom('register_snapshots')
    .select('files')
    .where('snapshot_ref', '=', ukgc.snapshot_ref)
    .executeTakeFirstOrThrow()
  expect(ukgc.files).toEqual((files as unknown as { sha256: string }[]).map(file => file.sha256))
  expect(ukgc.files[0]).toMatch(/^[0-9a-f]{64}$/)
})

test('a receipt has the hash of each row as published, in the form of RFC 8785', async () => {
  const odd = 'Ünïcode "quoted" \\ \u0001 tab\t \u{1F3B2}'
  const stream = fakeStream('latvia.blocklist')
  await syncApproved(service.service.live, stream, [fileOf(entry('hashed.example', { published: odd }))], {
    takenAt: day(1),
    now: day(1),
  })
  const { evidence } = await verified((await resolve('domain=hashed.example&receipt=true')).body.data.receipt)
  expect(evidence).toHaveLength(1)
  const [recordKey, digest] = evidence[0].rows[0]
  const { listed_at } = await service.service.live.database
    .selectFrom('blocklist_entries')
    .select('listed_at')
    .where('record_key', '=', recordKey)
    .executeTakeFirstOrThrow()
  const row = {
    kind: 'blocklist_entry',
    stream: 'latvia.blocklist',
    record_key: recordKey,
    regulator: 'latvia',
    scope: 'domain',
    domain: 'hashed.example',
    published: odd,
    listed_at: listed_at?.toISOString() ?? null,
  }
  expect(digest).toBe(hashOf(row))
})

test('the receipt of a license has the hash of its row', async () => {
  const { body } = await license('license_number=099101-R-339101-004&jurisdiction=ukgc&receipt=true')
  expect(declaredData('resolve_license')(body.data)).toBeNull()
  const { receipt, ...answer } = body.data
  const payload = await verified(receipt)
  expect(payload.answer_sha256).toBe(hashOf(answer))
  expect(payload.request.operation).toBe('resolve_license')
  const [profile] = answer.licenses
  const [[recordKey, digest]] = payload.evidence[0].rows
  const row = {
    kind: 'license',
    stream: payload.evidence[0].stream,
    record_key: recordKey,
    jurisdiction: profile.jurisdiction,
    license_number: profile.license_number,
    license_type: profile.license_type,
    status: profile.status,
    issued_at: profile.issued_at,
    expires_at: profile.expires_at,
  }
  expect(digest).toBe(hashOf(row))
  expect((await license('license_number=nothing&receipt=true')).status).toBe(404)
})

test('a batch has one receipt, which proves each of its verdicts without the others', async () => {
  const domains = ['luckyotter.example', 'redkite-casino.example', 'www.luckyotter.example', 'no domain']
  const { body } = await resolveAll({ domains, receipt: true })
  expect(declaredData('resolve_domains')(body.data)).toBeNull()
  const { receipt, ...answer } = body.data
  const payload = await verified(receipt)
  expect(payload.answer_sha256).toBe(hashOf(answer))
  expect(payload.items).toEqual(answer.verdicts.map(hashOf))
  expect(payload.items).toHaveLength(3)
  expect(payload).not.toHaveProperty('verdict')
  expect(payload.request.parameters).toEqual({ domains, receipt: true })
  const alone = await verified(
    (await resolve('domain=redkite-casino.example&receipt=true')).body.data.receipt,
  )
  const rowsOf = ({ evidence }: { evidence: { rows: unknown[] }[] }) => evidence.flatMap(each => each.rows)
  expect(rowsOf(payload)).toEqual(expect.arrayContaining(rowsOf(alone)))
  expect(
    (await verified((await resolveAll({ domains: ['x'], receipt: true })).body.data.receipt)).items,
  ).toEqual([])
})

test('a receipt and its answer are of one moment while registers change', async () => {
  const { live } = service.service
  const stream = fakeStream('estonia.blocklist')
  const sync = (number: number, ...listed: string[]) =>
    syncApproved(live, stream, [fileOf(...listed.map(each => entry(each)))], {
      takenAt: day(number),
      now: day(number),
    })
  await sync(1, 'early.example')
  const asking = Promise.all(
    Array.from({ length: 40 }, async () => (await resolve('domain=changing.example&receipt=true')).body.data),
  )
  await sync(2, 'early.example', 'changing.example')
  await sync(3, 'early.example')
  await sync(4, 'early.example', 'changing.example')
  const answers = [...(await asking), (await resolve('domain=changing.example&receipt=true')).body.data]
  for (const { receipt, ...answer } of answers) {
    const { verdict, evidence } = await verified(receipt)
    expect(verdict).toBe(answer.verdict)
    const rows = evidence.flatMap((each: { rows: unknown[] }) => each.rows)
    expect(rows.length).toBe(answer.verdict === 'blocklisted' ? 1 : 0)
  }
  expect(answers.at(-1).verdict).toBe('blocklisted')
})

const host = (listed: string, domain: string) => entry(listed, { scope: 'host', domain, listedAs: listed })

test('a receipt that is made while a sync ends has the evidence of the event of its answer', async () => {
  const { live } = service.service
  const stream = fakeStream('greece.blocklist')
  const sync = (number: number, ...listed: ReturnType<typeof entry>[]) =>
    syncApproved(live, stream, [fileOf(...listed)], { takenAt: day(number), now: day(number) })
  const first = host('one.torn.example', 'torn.example')
  await sync(1, first)
  expect((await resolve('domain=torn.example&receipt=true')).body.data.verdict).toBe('no_record')
  const { readByKey } = live.primary
  let synced: Awaited<ReturnType<typeof sync>> | undefined
  const reads = vi.spyOn(live.primary, 'readByKey').mockImplementation(async (read, key) => {
    const row = await readByKey(read, key)
    if (synced === undefined && key === 'torn.example')
      synced = await sync(2, first, host('two.torn.example', 'torn.example'), entry('torn.example'))
    return row
  })
  const { receipt, ...answer } = (await resolve('domain=torn.example&receipt=true')).body.data
  reads.mockRestore()
  const names = answer.mentioned_by.map(({ listed_as }: { listed_as: string }) => listed_as)
  expect([answer.verdict, names]).toEqual(['blocklisted', ['one.torn.example', 'two.torn.example']])
  const { evidence, verdict, position } = await verified(receipt)
  expect(verdict).toBe('blocklisted')
  expect(evidence).toMatchObject([{ stream: 'greece.blocklist', snapshot_ref: synced?.snapshot_ref }])
  expect(evidence[0].rows.map(([key]: [string]) => key)).toEqual(['torn.example'])
  const { rows } = await sql<{ last: number }>`
    select max(number) as last from verdict_changes`.execute(live.database)
  expect(position.verdict_changes).toBe(rows[0]?.last)
})

test('each event changes the streams of a receipt, also one that confirms a snapshot', async () => {
  const { live } = service.service
  const stream = fakeStream('belgium.blocklist')
  const file = (number: number) => fileOf(entry(`listed-${Math.min(number, 2)}.example`))
  const seen: unknown[] = []
  for (const number of [1, 2, 3]) {
    await syncApproved(live, stream, [file(number)], { takenAt: day(number), now: day(number) })
    const asked = [
      (await resolve('domain=neverheard.example&receipt=true')).body.data,
      (await resolve('domain=neverheard.example&receipt=true')).body.data,
      (await resolveAll({ domains: ['neverheard.example', 'x.example'], receipt: true })).body.data,
    ]
    const named = await Promise.all(
      asked.map(async ({ receipt }) => {
        const { evidence } = await verified(receipt)
        return evidence.find((each: { stream: string }) => each.stream === 'belgium.blocklist')
      }),
    )
    expect(named[0].taken_at).toBe(day(number).toISOString())
    expect(named).toEqual([named[0], named[0], named[0]])
    seen.push(named[0])
  }
  const [first, second, third] = seen as Record<string, unknown>[]
  expect(second?.snapshot_ref).not.toBe(first?.snapshot_ref)
  expect(third).toEqual({ ...second, taken_at: day(3).toISOString() })
})

test('the demo signs with the key of the installation, and says so', async () => {
  const { body } = await service.ask('/v1/domains/resolve?domain=luckyotter.example&receipt=true', {
    key: 'client_demo',
  })
  const { receipt, ...answer } = body.data
  const payload = await verified(receipt)
  expect([payload.demo, payload.answer_sha256]).toEqual([true, hashOf(answer)])
})

test('other operations refuse the parameter receipt', async () => {
  const { status, body } = await customer.ask('/v1/domains/search?verdict=licensed&receipt=true')
  expect([status, body.errors.code]).toEqual([400, 'unknown_parameter'])
})

test('after a person is suppressed, no new receipt names her', async () => {
  const email = 'ottilie.weirstone@luckyotter.example'
  const report = await suppressPerson(service.service.live, { email, reason: 'A request', now, by: aCommand })
  expect(report.contacts).toBeGreaterThan(0)
  const everything = observationSections.map(section => `&include[]=${section}`).join('')
  const receipts = [
    await resolve(`domain=luckyotter.example&receipt=true${everything}`),
    await resolveAll({ domains: ['luckyotter.example'], receipt: true }),
    await license('license_number=099101-R-339101-004&jurisdiction=ukgc&receipt=true'),
  ].map(({ body }) => body.data.receipt)
  for (const receipt of receipts)
    expect(JSON.stringify(await verified(receipt)).toLowerCase()).not.toMatch(/ottilie|weirstone/)
})
