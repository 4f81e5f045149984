import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, type TestContext, test } from 'vitest'

const script = join(import.meta.dirname, '../scripts/rehearse-cluster.ts')
/** It takes four minutes on two quiet cores. */
const timeLimitMs = 15 * 60_000

test('a cluster under Patroni survives a kill, a switchover and a partition without losing a charge', {
  timeout: timeLimitMs,
}, async ({ skip }: TestContext) => {
  const { stdout } = await promisify(execFile)(process.execPath, [script, '--short'])
  if (stdout.startsWith('Skipped:')) skip(stdout)
  const faults = stdout.split('\n').filter(line => /^ {2}(kill|switchover|partition) \d/.test(line))
  expect(faults.length).toBeGreaterThanOrEqual(2)
  for (const fault of faults) expect(fault).toMatch(/ 0 lost, 0 doubled$/)
  expect(stdout).toMatch(/the loss that \/readyz warned of/)
})
