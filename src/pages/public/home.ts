import type { Coverage } from '../../features/coverage/index.ts'
import { copyable, figureList, noticeBox, number, time } from '../components/index.ts'
import type { Verdict } from '../dashboard/domain/evidence.ts'
import { verdictAnswer } from '../dashboard/domain/verdict.ts'
import { publicPage } from '../frame.ts'
import { type Content, type Html, html } from '../html.ts'

export type LiveVerdict = {
  /** The templates of the demo key. */
  templates: readonly { domain: string; title: string }[]
  domain: string
  curl: string
  /** A message replaces the answer while the demo world is loaded. */
  answer: { verdict: Verdict; json: string } | { message: string }
}

const jobs = [
  {
    title: 'Screen a portfolio',
    text: 'Licensed, on a blocklist, both, or no record, and the register behind it, for each domain.',
    link: html`<a href="/docs/guides/screen-a-portfolio">Screen a portfolio, step by step</a>`,
  },
  {
    title: 'Watch a market',
    text: 'Every change of a register or blocklist once, in order, with its source and the day it was seen.',
    link: html`<a href="/coverage">See which registers are read</a>`,
  },
  {
    title: 'Find prospects',
    text: 'Operators by market, platform, payment method and game studio, and the people who decide.',
    link: html`<a href="/request-a-list">Request a list</a>`,
  },
]

const ways: typeof jobs = [
  {
    title: 'The API',
    text: 'JSON over HTTPS with a key. The first answer takes five minutes, the demo key needs no account.',
    link: html`<a href="/docs/quickstart">Begin with the quickstart</a>`,
  },
  {
    title: 'TypeScript and terminal',
    text: 'A client without dependencies that retries without paying twice, and the command baize-api.',
    link: html`<a href="/docs/clients">See the client</a>`,
  },
  {
    title: 'Agents',
    text: 'Twelve tools over the Model Context Protocol, each with its price, within a budget that you set.',
    link: html`<a href="/docs/guides/wire-an-agent">Wire an agent (MCP)</a>`,
  },
]

const thirds = (of: typeof jobs): Html =>
  html`<div class="thirds">${of.map(
    ({ title, text, link }) => html`<div><h3>${title}</h3><p>${text}</p><p>${link}</p></div>`,
  )}</div>`

/** Says in figures what is read, and how old it is. */
function figures({ markets, markets_with_stream: withStream }: Coverage): Html {
  const streams = markets.flatMap(each => each.streams)
  const confirmed = streams.flatMap(each => each.last_confirmed_at ?? []).toSorted()
  const blocked = streams.reduce((sum, each) => sum + each.records_in_force.blocklist_entries, 0)
  const licenses = streams.reduce((sum, each) => sum + each.records_in_force.licenses, 0)
  return figureList([
    {
      name: 'Markets with a source',
      value: html`<a href="/coverage">${number(withStream)}</a>`,
      hint: `of ${number(markets.length)} that are known`,
    },
    { name: 'Licenses in force', value: number(licenses), hint: 'in the registers in use' },
    { name: 'Blocked sites', value: number(blocked), hint: 'on the lists in use' },
    {
      name: 'Last read',
      value: confirmed.length === 0 ? 'not yet' : time(confirmed.at(-1)?.slice(0, 10) ?? null),
      hint: 'the newest source',
    },
    { name: 'A verdict', value: html`<a href="/pricing">1 credit</a>`, hint: 'previews are free' },
  ])
}

export function homePage(live: LiveVerdict, coverage: Coverage, url: string): Html {
  return publicPage({
    share: {
      url,
      description:
        'Who may offer gambling, and where: registers, blocklists and sites, with the source of each fact.',
    },
    title: 'The data API of the gambling industry',
    body: html`<div class="hero"><div><h1>Who may offer gambling, and where</h1>
<p class="lead">Baize reads the registers and blocklists of regulators, looks at the sites themselves, and
answers with the source and the date of each fact. You pay by the credit, and only for what is delivered.</p>
<p class="actions"><a class="button" href="/dashboard">Open the dashboard</a>
<a class="button plain" href="/docs">Read the API reference</a></p></div>
<section aria-labelledby="live"><h2 id="live">Try a verdict</h2>
<p class="hint">From a small fictional world, free. A verdict of a real domain costs 1 credit.</p>
${chooser(live)}
${liveVerdict(live)}</section></div>
<section class="known" aria-label="What is read">${figures(coverage)}</section>
<section aria-labelledby="jobs"><h2 id="jobs">What it is for</h2>
${thirds(jobs)}</section>
<section aria-labelledby="ways"><h2 id="ways">Ways to use it</h2>${thirds(ways)}</section>`,
  })
}

/** Draws a plain form. With htmx only the answer is replaced. */
function chooser({ templates, domain }: LiveVerdict): Html {
  const options = templates.map(each => {
    const chosen = each.domain === domain && html` selected`
    return html`<option value="${each.domain}"${chosen}>${each.domain}: ${each.title}</option>`
  })
  return html`<form class="filters" method="get" action="/"
hx-get="/" hx-target="#verdict" hx-swap="outerHTML">
<div class="field"><label for="domain">Domain</label>
<select id="domain" name="domain">${options}</select></div><button>Look up</button></form>`
}

export function liveVerdict({ answer, curl }: LiveVerdict): Html {
  const content: Content =
    'message' in answer
      ? noticeBox('warn', answer.message)
      : html`${verdictAnswer(answer.verdict)}
<details><summary>The answer as JSON</summary>${copyable(answer.json, 'JSON')}</details>`
  return html`<div id="verdict" class="card" aria-live="polite">${content}
${copyable(curl, 'curl command')}</div>`
}
