import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDirectory, type TestDirectory } from '../../../test/harness/directory.ts'
import { startService, type TestService } from '../../../test/harness/service.ts'
import { runHere } from './run-command.ts'

let service: TestService
let directory: TestDirectory
beforeAll(async () => {
  service = await startService({ world: 'demo_key' })
  directory = await createTestDirectory()
})
afterAll(async () => {
  await directory.remove()
  await service.close()
})

async function codeOf(answer: object, jwks: object, shown?: object): Promise<number | null> {
  const file = (name: string) => join(directory.path, name)
  await writeFile(file('answer.json'), JSON.stringify(answer))
  await writeFile(file('jwks.json'), JSON.stringify(jwks))
  await writeFile(file('shown.json'), JSON.stringify(shown ?? {}))
  const more = shown === undefined ? [] : ['--answer', file('shown.json')]
  return (await runHere(['receipt', file('answer.json'), '--jwks', file('jwks.json'), ...more])).code
}

test('the command receipt exits with 1 for an altered answer, receipt or key set', async () => {
  const key = 'client_demo'
  const { body } = await service.ask('/v1/domains/resolve?domain=luckyotter.example&receipt=true', { key })
  const keys = (await service.ask('/.well-known/jwks.json')).body
  expect(await codeOf(body, keys)).toBe(0)
  const { receipt } = body.data
  const at = receipt.indexOf('.') + 9
  const forged = `${receipt.slice(0, at)}${receipt[at] === 'A' ? 'B' : 'A'}${receipt.slice(at + 1)}`
  const revoked = { keys: [{ ...keys.keys[0], revoked: { revoked_at: 1, reason: 'leaked' } }] }
  expect([
    await codeOf({ data: { ...body.data, verdict: 'no_record' } }, keys),
    await codeOf({ data: { ...body.data, receipt: forged } }, keys),
    await codeOf({ data: { ...body.data, receipt: 'nothing' } }, keys),
    await codeOf(body, { keys: [] }),
    await codeOf(body, revoked),
    await codeOf(body, keys, { domain: 'other.example' }),
  ]).toEqual([1, 1, 1, 1, 1, 1])
})
