import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startService, type TestService } from '../harness/service.ts'
import { signIn } from '../harness/sign-in.ts'
import { hasChromium, startBrowser, visit } from './browser.ts'
import { inspect } from './inspect.ts'

describe.skipIf(!hasChromium)('the overview', () => {
  let browser: Browser
  let service: TestService

  beforeAll(async () => {
    service = await startService({ world: 'demo', isReachable: true })
    browser = await startBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await service?.close()
  })

  test('an account without requests is shown how to send one', async () => {
    const { accountRef } = await service.customer()
    const visitor = await visit(browser, service, {
      person: await signIn(service, { accountRef, isStaff: true }),
    })
    await visitor.open('/dashboard')
    expect(await visitor.page.textContent('.empty')).toContain('curl')
    await inspect(visitor, 'overview-empty')
    await visitor.close()
  })
})
