import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCommandHere } from '../../test/harness/command.ts'
import { createTestDirectory, type TestDirectory } from '../../test/harness/directory.ts'
import { startService, type TestService } from '../../test/harness/service.ts'

let service: TestService
let directory: TestDirectory
beforeAll(async () => {
  service = await startService()
  directory = await createTestDirectory()
})
afterAll(async () => {
  await service.close()
  await directory.remove()
})

const run = (...args: string[]) =>
  runCommandHere(['receipt', 'rotate-key', ...args], {
    DATA_DIR: directory.path,
    DATABASE_URL: service.database.url,
  })

const published = async () => (await service.ask('/.well-known/jwks.json')).body.keys

test('every public key stays published when keys are rotated, and a revoked one says why', async () => {
  const first = await service.ask('/.well-known/jwks.json')
  expect(first.headers.get('cache-control')).toBe('public, max-age=3600')
  expect(first.body.keys).toEqual([
    {
      kty: 'OKP',
      crv: 'Ed25519',
      x: expect.stringMatching(/^[\w-]{43}$/),
      kid: expect.stringMatching(/^[\w-]{43}$/),
      use: 'sig',
      alg: 'EdDSA',
      iat: expect.any(Number),
    },
  ])
  const [former] = first.body.keys

  const rotated = JSON.parse((await run('--json')).stdout)
  expect(rotated).toEqual({ kid: expect.any(String), retired: former.kid, revoked: null })
  expect(await published()).toEqual([expect.objectContaining({ kid: rotated.kid }), former])

  const { code, stdout } = await run('--revoke', former.kid, '--why', 'The backup was stolen')
  expect([code, stdout]).toEqual([0, expect.stringContaining(`${former.kid} is revoked.`)])
  const keys = await published()
  expect(keys).toHaveLength(3)
  expect(keys[2]).toEqual({
    ...former,
    revoked: { revoked_at: expect.any(Number), reason: 'The backup was stolen' },
  })
  expect(await withoutPrivateHalf()).toBe(2)

  const events = await service.service.live.database
    .selectFrom('audit_events')
    .select(['action', 'subject', 'details'])
    .orderBy('id')
    .execute()
  expect(events).toEqual([
    { action: 'receipt_key.rotated', subject: rotated.kid, details: { retired: former.kid, revoked: null } },
    {
      action: 'receipt_key.rotated',
      subject: keys[0].kid,
      details: { retired: rotated.kid, revoked: former.kid, why: 'The backup was stolen' },
    },
  ])
})

test('a refused revocation changes no key', async () => {
  const before = await published()
  const refusals = [
    await run('--revoke', 'nothing', '--why', 'A typing error'),
    await run('--revoke', before[0].kid),
    await run('--revoke', before[0].kid, '--why', ' '),
    await run('--revoke', before.at(-1).kid, '--why', 'Again'),
  ]
  expect(refusals.map(({ code }) => code)).toEqual([1, 1, 1, 1])
  expect(refusals.map(({ stderr }) => stderr.trim())).toEqual([
    'Unknown key "nothing". /.well-known/jwks.json lists all.',
    '"--revoke" and "--why" go together: a revoked key is published with its reason.',
    'The reason must have 1 to 200 characters.',
    `The key ${before.at(-1).kid} is already revoked.`,
  ])
  expect(await published()).toEqual(before)
})

async function withoutPrivateHalf(): Promise<number> {
  const { database } = service.service.live
  const keys = await database.selectFrom('receipt_keys').select('private_key').execute()
  return keys.filter(key => key.private_key === null).length
}
