import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest'
import type { TestService } from '../harness/service.ts'
import { signIn } from '../harness/sign-in.ts'
import { hasChromium, startBrowser, type Visitor, type VisitorOptions, visit } from './browser.ts'

type Signing = Parameters<typeof signIn>[1]

export type Site<Started> = {
  readonly service: Started
  /** A browser profile of its own; with `as`, signed in. It is closed after the test. */
  visit(options?: Omit<VisitorOptions, 'person'> & { as?: Signing }): Promise<Visitor>
}

/** Tests in Chromium with one service; each test fails if a page caused a problem. */
export function describePages<Started extends TestService>(
  title: string,
  start: () => Promise<Started>,
  tests: (site: Site<Started>) => void,
): void {
  describe.skipIf(!hasChromium)(title, () => {
    let browser: Browser
    let service: Started
    const visitors: Visitor[] = []

    beforeAll(async () => {
      service = await start()
      browser = await startBrowser()
    })
    afterEach(async () => {
      const closed = visitors.splice(0)
      const problems = closed.flatMap(each => each.problems)
      await Promise.all(closed.map(each => each.context.close()))
      expect(problems).toEqual([])
    })
    afterAll(async () => {
      await browser?.close()
      await service?.close()
    })

    tests({
      get service() {
        return service
      },
      async visit({ as, ...options } = {}) {
        const person = as === undefined ? undefined : await signIn(service, as)
        const visitor = await visit(browser, service, { ...options, ...(person && { person }) })
        visitors.push(visitor)
        return visitor
      },
    })
  })
}
