/** Looks at labelled sites that scripts fill, as a check does: over HTTPS, on a small internet of their own. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { lookAtSite, openVisitTools } from '@baize/site-visitor'
import { readSettings } from '../../src/config/settings.ts'
import { openPageRenderer } from '../../src/instance/open-page-renderer.ts'
import { lookSettingsOf } from '../../src/instance/tasks/check-tasks.ts'
import { publicAddress, type Scenario, scenarioOf } from '../../test/small-internet/scenario.ts'
import { startSmallInternet } from '../../test/small-internet/start-small-internet.ts'
import { folderOf, type LabelledSite, type ScriptedSet } from './labelled-sites.ts'

/** Returns the sites with the captures of a check. `isRendered` is false to see them without Chromium. */
export async function lookAtSites(
  set: ScriptedSet,
  sites: readonly LabelledSite[],
  isRendered: boolean,
): Promise<LabelledSite[]> {
  await using stack = new AsyncDisposableStack()
  const internet = await startSmallInternet(sites.map(site => servedBy(set, site)))
  stack.defer(() => internet.close())
  const settings = readSettings({ ...internet.environment, RENDER: isRendered ? 'on' : 'off' })
  const renderer = stack.use(openPageRenderer(settings))
  const { state, message } = await renderer.probe()
  if (isRendered && state !== 'on') throw new Error(`pages are not rendered: ${message}`)
  const now = () => new Date()
  const look = lookSettingsOf(settings, { now, refreshes: false, renderer })
  const { signal } = new AbortController()
  const turns = { takeTurn: async () => 0, deferTurns: async () => {} }
  const tools = { ...openVisitTools(look, { ...turns, now, signal }), queryRdap: async () => [] }
  const options = { obeysRobots: false, userAgent: look.userAgent }
  const seen: LabelledSite[] = []
  for (const site of sites) seen.push({ ...site, captures: await lookAtSite(site.domain, tools, options) })
  return seen
}

/** Returns what the hosts of a site serve. */
function servedBy(set: ScriptedSet, { name, domain, responses, resources = [] }: LabelledSite): Scenario {
  const bodyOf = (file?: string) =>
    file === undefined ? {} : { base64: readFileSync(join(folderOf(set), name, file), 'base64') }
  const pages = responses.map(({ url, status, headers, file }) => [url, { status, headers, ...bodyOf(file) }])
  const others = resources.map(({ url, status, content_type, file, delay_ms }) => [
    url,
    { status, headers: { 'content-type': content_type }, delay_ms, ...bodyOf(file) },
  ])
  const served = Object.fromEntries([...pages, ...others])
  const hosts = Object.keys(served).map(url => new URL(url).hostname)
  return scenarioOf({
    about: name,
    domain,
    dns: Object.fromEntries([domain, ...hosts].map(host => [host, { A: [publicAddress] }])),
    responses: served,
    expect: { web_presence: 'live', launch: 'live', outcome: 'completed' },
  })
}
