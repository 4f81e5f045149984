import { createHash } from 'node:crypto'
import { strFromU8, unzipSync } from 'fflate'
import { compactVerify, createLocalJWKSet } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Customer, startService, type TestService } from '../../../test/harness/service.ts'
import { type Person, signIn } from '../../../test/harness/sign-in.ts'
import { canonicalJson } from '../receipts/index.ts'

let service: TestService
let customer: Customer
let member: Person
beforeAll(async () => {
  service = await startService({ world: 'demo_with_registers' })
  customer = await service.customer()
  member = await signIn(service, { accountRef: customer.accountRef, role: 'member' })
})
afterAll(() => service.close())

const dossier = '/dashboard/dossier?domain=redkite-casino.example'
const evidence = '/dashboard/dossier/evidence?domain=redkite-casino.example'

test('a dossier shows only what was bought, and its evidence verifies with jose', async () => {
  const before = await member.get(dossier)
  expect(before.text).toContain('No verdict of this site was bought in the last 7 days.')
  expect(before.text).not.toContain('blocklisted')
  expect((await member.read(evidence)).status).toBe(404)

  const site = '/dashboard/domains/redkite-casino.example'
  const nonce = (await member.get(site)).text.match(/name="nonce" value="([^"]+)"/)?.[1] as string
  expect((await member.post(site, { max_credits: '1', nonce })).status).toBe(303)
  expect((await member.get(site)).text).toContain(`href="${dossier}"`)
  const used = (await customer.ask('/v1/account')).body.data.credits_used
  const page = await member.get(dossier)
  for (const text of ['✕ blocklisted', 'What was checked', 'italy.blocklist', 'Download evidence (zip)'])
    expect(page.text).toContain(text)

  const { status, headers, bytes } = await download(member)
  expect([status, headers.get('content-type')]).toEqual([200, 'application/zip'])
  expect(headers.get('content-disposition')).toMatch(/evidence-redkite-casino\.example-\d{4}-\d\d-\d\d\.zip/)
  const files = unzipSync(bytes)
  expect(Object.keys(files)).toEqual(['answer.json', 'receipt.jws', 'jwks.json', 'rows.csv', 'README.txt'])
  const text = (name: string) => strFromU8(files[name] ?? new Uint8Array())
  const { payload } = await compactVerify(
    text('receipt.jws'),
    createLocalJWKSet(JSON.parse(text('jwks.json'))),
  )
  const says = JSON.parse(new TextDecoder().decode(payload))
  const { data } = JSON.parse(text('answer.json'))
  expect(says.answer_sha256).toBe(createHash('sha256').update(canonicalJson(data)).digest('hex'))
  expect(text('rows.csv')).toContain('blocks,italy,redkite-casino.example,')
  expect(text('README.txt')).toContain('To verify without the service')
  expect((await customer.ask('/v1/account')).body.data.credits_used).toBe(used)
})

async function download({ cookie }: Person) {
  const response = await fetch(`${service.url}${evidence}`, { headers: { cookie } })
  const bytes = new Uint8Array(await response.arrayBuffer())
  return { status: response.status, headers: response.headers, bytes }
}

test('a dossier of another spelling leads to the one of the domain, and a wrong one is refused', async () => {
  const moved = await member.get('/dashboard/dossier?domain=https://www.redkite-casino.example/x')
  expect([moved.status, moved.headers.get('location')]).toEqual([302, dossier])
  expect((await member.read('/dashboard/dossier?domain=localhost')).body.errors.code).toBe('invalid_domain')
  const stranger = await signIn(service, { accountRef: (await service.customer()).accountRef })
  expect((await stranger.read(evidence)).status).toBe(404)
  expect((await stranger.get(dossier)).text).not.toContain('blocklisted')
})
