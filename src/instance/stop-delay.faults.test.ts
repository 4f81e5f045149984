import { expect, onTestFinished, test } from 'vitest'
import { createTestDatabase } from '../../test/harness/database.ts'
import { createTestDirectory } from '../../test/harness/directory.ts'
import { eventually } from '../../test/harness/eventually.ts'
import { startInstance } from '../../test/harness/program.ts'

test.skipIf(process.platform === 'win32')(
  'a stopping process says so at /readyz and serves all else for STOP_DELAY_SECONDS',
  async () => {
    const database = await createTestDatabase()
    const directory = await createTestDirectory()
    const instance = await startInstance('serve', {
      DATABASE_URL: database.url,
      DATA_DIR: directory.path,
      LOG_LEVEL: 'silent',
      STOP_DELAY_SECONDS: '3',
    })
    onTestFinished(async () => {
      await instance.kill()
      await database.drop()
      await directory.remove()
    })
    const begunMs = performance.now()
    instance.signal('SIGTERM')
    const readiness = await eventually('it is stopping', async () => {
      const answer = await fetch(`${instance.url}/readyz`)
      return answer.status === 503 ? answer.json() : null
    })
    expect(readiness).toEqual({ status: 'not_ready', reason: 'the service is stopping' })
    // An unknown key is refused by the operation itself.
    expect((await fetch(`${instance.url}/v1/account`)).status).toBe(401)
    expect((await instance.ended).code).toBe(0)
    expect(performance.now() - begunMs).toBeGreaterThanOrEqual(3_000)
  },
)
