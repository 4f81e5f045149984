import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { eventually } from '../../test/harness/eventually.ts'

const script = fileURLToPath(new URL('../../test/harness/run-hanging-instance.ts', import.meta.url))

/** Signals an instance whose stop hangs. Returns its exit code and the seconds until its end. */
async function stopHanging(signals: number) {
  const child = spawn(process.execPath, [script], {
    env: { DATABASE_URL: 'postgres://nobody@localhost/none', LOG_LEVEL: 'info' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  let output = ''
  child.stdout.setEncoding('utf8').on('data', text => {
    output += text
  })
  await eventually('it runs', () => output.includes('running'))
  const begunMs = performance.now()
  child.kill('SIGTERM')
  await eventually('it stops', () => output.includes('stopping'))
  for (let sent = 1; sent < signals; sent += 1) child.kill('SIGTERM')
  const [code] = await ended
  return { code, seconds: (performance.now() - begunMs) / 1_000 }
}

test.skipIf(process.platform === 'win32')(
  'a stop that hangs ends after 20 seconds, and at once by a second signal',
  async () => {
    const [one, two] = await Promise.all([stopHanging(1), stopHanging(2)])
    expect([one.code, two.code]).toEqual([1, 1])
    expect(one.seconds).toBeGreaterThanOrEqual(20)
    expect(two.seconds).toBeLessThan(20)
  },
)
