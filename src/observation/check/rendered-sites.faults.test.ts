import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasChromium } from '../../../packages/renderer/fixture.ts'
import { startChild } from '../../../test/harness/child.ts'
import { eventually } from '../../../test/harness/eventually.ts'
import { type Scenario, type SiteResponse, scenarioOf } from '../../../test/small-internet/scenario.ts'
import {
  type CheckingService,
  startCheckingService,
} from '../../../test/small-internet/start-checking-service.ts'

const lobby = `<main class="lobby"><nav><a href="/register">Register</a> <a href="/login">Log in</a>
  <a href="/casino">Casino</a> <a href="/cashier">Deposit</a></nav>
  <h2>Slots</h2><ul>${['Starburst', 'Gonzo', 'Book of Ra', 'Mega Moolah', 'Sweet Bonanza', 'Big Bass']
    .map(
      title =>
        `<li><a href="/game/${title}"><img alt="${title} by NetEnt"></a><button>Play now</button></li>`,
    )
    .join(
      '',
    )}</ul><form action="/register"><input type="email" name="email"><input type="password" name="password">
    <button>Sign up</button></form><p>Deposit with Visa, Mastercard and Skrill.</p></main>`

const filled = (html: string, more = '') =>
  `<!doctype html><title>Site</title><div id="app"></div>${more}
   <script>setTimeout(() => { app.innerHTML = ${JSON.stringify(html)} }, 100)</script>`

const site = (domain: string, root: SiteResponse, responses: Record<string, SiteResponse> = {}): Scenario =>
  scenarioOf({
    about: domain,
    domain,
    licensed: true,
    responses: { '/': root, ...responses },
    expect: { web_presence: 'live', launch: 'live', outcome: 'completed' },
  })

const scenarios = [
  site('served.example', { html: lobby }),
  site('filled.example', { html: filled(lobby) }),
  site('invisible.example', {
    html: `<style>.lobby { display: none }</style>${lobby}<p>Our shop sells shoes.</p>`,
  }),
  site('soon.example', {
    html: `<style>.lobby { display: none }</style>${lobby}<div id="app"></div><script>
      app.innerHTML = '<h1>Coming soon</h1><p>Our casino is opening soon. Stay tuned.</p>'</script>`,
  }),
  site('region.example', {
    html: filled('<h1>Not available in your country</h1><p>We do not accept players from your country.</p>'),
  }),
  site('endless.example', { html: `${lobby}<script>setTimeout(() => { for (;;) {} }, 50)</script>` }),
  site(
    'restless.example',
    {
      html: `<!doctype html><div id="app"></div><script>
        fetch('/lobby.html').then(each => each.text()).then(text => { app.innerHTML = text })</script>`,
    },
    { '/lobby.html': { html: lobby } },
  ),
]

const dying = site('dying.example', { html: filled(lobby) })

const include = ['payment_methods', 'operator_launch_profile'].map(each => `&include[]=${each}`).join('')

describe.each(hasChromium ? ['on', 'missing'] : ['missing'])('checks where Chromium is %s', chromium => {
  const isOn = chromium === 'on'
  let service: CheckingService
  let worker: { stop(): Promise<void> }

  beforeAll(async () => {
    service = await startCheckingService([...scenarios, dying], {
      RENDER: 'on',
      ...(isOn ? {} : { CHROMIUM_PATH: '/nowhere/chromium' }),
    })
    worker = await service.startWorker()
  })
  afterAll(async () => {
    await worker.stop()
    await service.expectConsistentBooks()
    await service.close()
  })

  /** Checks a site as a customer, and returns what it costs and says. */
  async function check(domain: string) {
    const customer = await service.customer({ credits: 100 })
    const { status, body } = await customer.ask(
      `/v1/domains/resolve?domain=${domain}&max_age_days=0${include}`,
    )
    expect(status, JSON.stringify(body)).toBe(200)
    const { payment_methods: methods, operator_launch_profile: profile } = body.data.observations
    const stored = await service.findingsOf(domain)
    return {
      state: (await service.checksOf(domain)).at(-1)?.state,
      presence: stored.find(({ section }) => section === 'web_presence')?.value.status,
      launch: profile.launch?.status ?? null,
      methods: (methods.items ?? []).map((each: { name: string }) => each.name),
      warnings: profile.quality.warnings as string[],
      reasons: stored.find(({ section }) => section === 'launch')?.value.reasons,
    }
  }

  test('a casino that is served as HTML is live', async () => {
    const { launch, warnings } = await check('served.example')
    expect(launch).toBe('live')
    expect(warnings.includes('page_not_rendered')).toBe(!isOn)
  })

  test.each(['filled.example', 'restless.example'])(
    '%s, which a script fills, is live where it is rendered',
    async domain => {
      const { launch, warnings } = await check(domain)
      expect({ launch, isWarned: warnings.includes('page_not_rendered') }).toEqual(
        isOn ? { launch: 'live', isWarned: false } : { launch: 'unknown', isWarned: true },
      )
      const methods = (await service.findingsOf(domain)).filter(
        ({ section }) => section === 'payment_methods',
      )
      expect(methods.length > 0).toBe(isOn)
    },
  )

  test('a product that no visitor sees is not live where it is rendered', async () => {
    const { launch } = await check('invisible.example')
    expect(launch).toBe(isOn ? 'unknown' : 'live')
  })

  test('a page that says it opens soon is launching, whatever its HTML has', async () => {
    const { launch } = await check('soon.example')
    expect(launch).toBe(isOn ? 'launching' : 'live')
  })

  test.runIf(isOn)(
    'a region page that a script shows is blocked, and costs nothing for the check',
    async () => {
      const { presence, state } = await check('region.example')
      expect({ presence, state }).toEqual({ presence: 'blocked', state: 'failed' })
    },
  )

  test.runIf(isOn)('a page that cannot be rendered completes its check with an unknown launch', async () => {
    const { state, launch, warnings } = await check('endless.example')
    expect({ state, launch }).toEqual({ state: 'completed', launch: 'unknown' })
    expect(warnings).toContain('page_not_rendered')
  })

  test.runIf(isOn)(
    'a check whose worker is killed before or after a render is finished by another, and charged once',
    async () => {
      await worker.stop()
      const customer = await service.customer({ credits: 100 })
      for (const phase of ['before a render', 'after a render']) {
        const { domain } = dying
        const asked = service.resolve(customer, domain)
        const isOpen = async () => (await service.checksOf(domain)).at(-1)?.state === 'queued'
        await eventually('a check is queued', isOpen)
        const id = (await service.checksOf(domain)).at(-1)?.id ?? 0
        const child = startChild<{ moments: string[] }>(
          '../small-internet/check-until-killed.ts',
          ...[
            JSON.stringify(service.database.connection),
            JSON.stringify({ ...service.internet.environment, RENDER: 'on' }),
          ],
          ...[service.folder, String(id), phase],
        )
        await expect(child.hello).rejects.toThrow('ended without output')
        worker = await service.startWorker()
        const { body } = await asked
        await worker.stop()
        expect(body.data.billing.refresh).toEqual({ status: 'charged', credits: 10 })
        expect(body.data.observations.operator_launch_profile.launch.status).toBe('live')
      }
      worker = await service.startWorker()
    },
  )
})
