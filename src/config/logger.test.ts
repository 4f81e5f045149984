import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const logger = new URL('logger.ts', import.meta.url)
/** This script logs more than a pipe buffers. */
const script = `
  import { createLogger } from ${JSON.stringify(logger.href)}
  const log = createLogger('info')
  for (let line = 0; line < 3_000; line += 1) {
    log.info({ pad: 'x'.repeat(1_000) }, 'a line')
    if (line % 100 === 0) await new Promise(setImmediate)
  }
  console.error('still there')`

/** `exit` is code that ends the process. A service ends by itself once all is written. */
async function logTo(where: string, exit = '') {
  const command = `"$0" --input-type=module --eval "$1" ${where}`
  const args = ['-c', command, process.execPath, `${script}\n${exit}`]
  const { stdout, stderr } = await promisify(execFile)('sh', args, {
    timeout: 20_000,
    maxBuffer: 16 * 1_048_576,
  })
  return { lines: stdout.split('\n').filter(line => line !== ''), stderr }
}

test.skipIf(!existsSync('/dev/full'))(
  'a full disk neither ends the process nor delays its exit',
  async () => {
    expect(await logTo('>/dev/full', 'process.exit()')).toEqual({ lines: [], stderr: 'still there\n' })
  },
)

test('a process survives when its log pipe closes', async () => {
  expect((await logTo('| head -n 1', 'process.exit()')).lines).toHaveLength(1)
})

test('all lines logged before a process ends are written', async () => {
  const { lines, stderr } = await logTo('')
  expect(lines).toHaveLength(3_000)
  expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ level: 'info', msg: 'a line' })
  expect(stderr).toBe('still there\n')
})
