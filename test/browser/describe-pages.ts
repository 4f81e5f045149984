import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { TestService } from '../harness/service.ts'
import { signIn } from '../harness/sign-in.ts'
import { hasChromium, startBrowser, type Visitor, type VisitorOptions, visit } from './browser.ts'
import { type Hands, type Way, ways } from './hands.ts'
import { inspect } from './inspect.ts'

type Signing = Parameters<typeof signIn>[1]

export type Traveller = Hands & {
  way: Way
  hasScripts: boolean
  /** Opens a browser that confirms every question. */
  visit(as?: Signing): Promise<Visitor>
  /** Inspects the page, only once for all ways. */
  look(visitor: Visitor, name: string): Promise<void>
}

export type Site<Started> = {
  readonly service: Started
  /** Opens a new browser profile, signed in with `as`. It is closed after the test. */
  visit(options?: Omit<VisitorOptions, 'person'> & { as?: Signing }): Promise<Visitor>
  /** Declares a test for each way: by mouse, by keyboard, and by keyboard without scripts. */
  journey(title: string, go: (traveller: Traveller) => Promise<void>, of?: readonly Way[]): void
}

/** Declares tests in Chromium with one service. Each test fails if a page caused a problem. */
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

    const site: Site<Started> = {
      get service() {
        return service
      },
      async visit({ as, ...options } = {}) {
        const person = as === undefined ? undefined : await signIn(service, as)
        const visitor = await visit(browser, service, { ...options, ...(person && { person }) })
        visitors.push(visitor)
        return visitor
      },
      journey(journeyTitle, go, of = Object.keys(ways) as Way[]) {
        test.each(of)(`${journeyTitle}: %s`, async way => {
          const { hands, hasScripts } = ways[way]
          await go({
            ...hands,
            way,
            hasScripts,
            async visit(as) {
              const visitor = await site.visit({ ...(as && { as }), hasScripts })
              visitor.page.on('dialog', dialog => dialog.accept())
              return visitor
            },
            look: async (visitor, name) => {
              if (way === 'mouse') await inspect(visitor, name)
            },
          })
        })
      },
    }
    tests(site)
  })
}
