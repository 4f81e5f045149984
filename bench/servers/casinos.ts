// Serves COUNT casinos of a small internet, and prints their domains and the settings to reach them: `node
// casinos.ts COUNT`.
import { readFileSync } from 'node:fs'
import { loadScenarios, publicAddress, type Scenario } from '../../test/small-internet/scenario.ts'
import { startSmallInternet } from '../../test/small-internet/start-small-internet.ts'

/** This number of game tiles makes a page of the usual size. */
const tiles = 1_500

const [casino] = loadScenarios('live.yaml') as [Scenario]
const sites = Array.from({ length: Number(process.argv[2]) }, (_, index) => siteOf(casino, index))
const internet = await startSmallInternet(sites)
const domains = sites.map(({ domain }) => domain)
console.log(JSON.stringify({ environment: internet.environment, domains }))
process.once('SIGTERM', () => void internet.close())

function siteOf(casino: Scenario, index: number): Scenario {
  const domain = `casino${index}.example`
  const page = readFileSync(new URL('../../test/small-internet/pages/casino.html', import.meta.url), 'utf8')
  const games = Array.from(
    { length: tiles },
    (_, game) =>
      `<a class="tile" href="/game/${game}"><img src="/tiles/${game}.webp" alt="Game ${game}">` +
      `<span class="tile__name">Game ${game}</span><button type="button">Play now</button></a>`,
  )
  const html = page.replaceAll('DOMAIN', domain).replace('</section>', `${games.join('\n')}</section>`)
  return {
    ...casino,
    domain,
    dns: { [domain]: { A: [publicAddress] } },
    responses: { ...casino.responses, '/': { html } },
  }
}
