import { copyable, notice } from '../components/index.ts'
import { type Verdict, verdictAnswer } from '../dashboard/explorer/verdict.ts'
import { publicPage } from '../frame.ts'
import { type Content, type Html, html } from '../html.ts'

export type LiveVerdict = {
  /** The demo key's templates. */
  templates: readonly { domain: string; title: string }[]
  domain: string
  curl: string
  /** A message instead, while the demo world is loaded. */
  answer: { verdict: Verdict; json: string } | { message: string }
}

const jobs = [
  ['Screen a portfolio', 'Licensed, on a blocklist, both, or no record: for one domain or ten thousand.'],
  ['Watch a market', 'Every change of a register or blocklist once, in order, with its source.'],
  ['Find prospects', 'Operators by market, platform, payment method, game studio and people.'],
].map(([title, text]) => html`<div><dt>${title}</dt><dd>${text}</dd></div>`)

export function homePage(live: LiveVerdict): Html {
  return publicPage({
    title: 'The data API of the gambling industry',
    body: html`<div class="lead"><h1>Who may offer gambling where</h1>
<p>Baize reads the registers and blocklists of regulators, looks at the sites themselves, and answers with the
source and the date of each fact. You pay by the credit, and only for what is delivered.</p></div>
<section aria-labelledby="live"><h2 id="live">Try a verdict</h2>
<p class="hint">From a small fictional world, free. A verdict of a real domain costs 1 credit.</p>
${chooser(live)}
${liveVerdict(live)}</section>
<section aria-labelledby="jobs"><h2 id="jobs">What it is for</h2>
<dl class="facts">${jobs}</dl></section>
<section aria-labelledby="next"><h2 id="next">Go on</h2>
<ul><li><a href="/docs">The API reference</a>, with requests to try</li>
<li><a href="/coverage">Coverage</a>: which registers are read, and how current they are</li>
<li><a href="/request-a-list">Request a list</a> of prospects, prepared by people</li>
<li><a href="/dashboard">The dashboard</a>: keys, usage, look-ups</li></ul></section>`,
  })
}

/** Works as a plain form; with htmx only the answer is replaced. */
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
      ? notice('warn', answer.message)
      : html`${verdictAnswer(answer.verdict)}
<details><summary>The answer as JSON</summary>${copyable(answer.json, 'JSON')}</details>`
  return html`<div id="verdict" class="card" aria-live="polite">${content}
${copyable(curl, 'curl command')}</div>`
}
