import { existsSync } from 'node:fs'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import type { TestService } from '../harness/service.ts'
import type { Person } from '../harness/sign-in.ts'

const executablePath = '/usr/bin/chromium'
const flags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

export const hasChromium = existsSync(executablePath)
if (!hasChromium)
  console.log(`Browser tests are skipped: ${executablePath} is missing (apt-get install chromium).`)

export const startBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath, args: flags, chromiumSandbox: false })

export type Visitor = {
  page: Page
  context: BrowserContext
  /** Opens a path of the service. */
  open(path: string): Promise<void>
  /**
   * Faults that no page may cause: console errors, violations of the policy, failed requests, other hosts.
   */
  problems: string[]
}

export type VisitorOptions = {
  person?: Person
  /** Enables scripts; the default is true. */
  hasScripts?: boolean
}

/** Opens a new browser profile at the service, signed in as the person. */
export async function visit(
  browser: Browser,
  { service }: TestService,
  { person, hasScripts = true }: VisitorOptions = {},
): Promise<Visitor> {
  const { baseUrl } = service.settings
  const context = await browser.newContext({
    baseURL: baseUrl,
    javaScriptEnabled: hasScripts,
    reducedMotion: 'reduce',
    locale: 'en-GB',
    timezoneId: 'Europe/Prague',
    viewport: { width: 1440, height: 900 },
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  if (person !== undefined) {
    const [name = '', value = ''] = person.cookie.split('=')
    await context.addCookies([{ name, value, url: baseUrl }])
  }
  const page = await context.newPage()
  const problems: string[] = []
  watch(page, baseUrl, problems)
  return {
    page,
    context,
    problems,
    open: async path => {
      await page.goto(path)
    },
  }
}

/**
 * Records problems of the page. Chromium logs each violation of the content security policy as a console
 * error.
 */
function watch(page: Page, baseUrl: string, problems: string[]): void {
  const { origin } = new URL(baseUrl)
  page.on('console', message => {
    // Refused forms are skipped, because tests assert their status. Other failed requests are recorded
    // below.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      problems.push(`console: ${message.text()}`)
  })
  page.on('pageerror', error => problems.push(`script: ${error.message}`))
  page.on('request', request => {
    if (/^https?:/.test(request.url()) && new URL(request.url()).origin !== origin)
      problems.push(`another host: ${request.url()}`)
  })
  page.on('requestfailed', request => {
    if (request.failure()?.errorText !== 'net::ERR_ABORTED') problems.push(`failed: ${request.url()}`)
  })
  page.on('response', response => {
    const isPage = response.request().isNavigationRequest()
    if (response.status() >= (isPage ? 500 : 400)) problems.push(`${response.status()}: ${response.url()}`)
  })
}
