import type { Overview } from '../../features/account/index.ts'
import { badge, copyable, figureList, number, savedPages, type Tone } from '../components/index.ts'
import { type Html, html } from '../html.ts'
import type { Page, View } from '../page.ts'

type Need = Overview['needs'][number]

/** What each kind of work is, with the page of all and the page of one. */
const kinds: Readonly<Record<Need['kind'], { tone: Tone; one: string; several: string; path: string }>> = {
  list_ready: { tone: 'good', one: 'list is ready', several: 'lists are ready', path: 'prospect-lists' },
  list_waiting: {
    tone: 'plain',
    one: 'list is prepared',
    several: 'lists are prepared',
    path: 'prospect-lists',
  },
  export_ready: { tone: 'good', one: 'file is ready', several: 'files are ready', path: 'exports' },
  export_waiting: { tone: 'plain', one: 'file is made', several: 'files are made', path: 'exports' },
  export_failed: { tone: 'bad', one: 'file failed', several: 'files failed', path: 'exports' },
  license_expiring: {
    tone: 'warn',
    one: 'license of a followed Company expires within 60 days',
    several: 'licenses of followed Companies expire within 60 days',
    path: 'companies',
  },
  portfolio_changed: {
    tone: 'warn',
    one: 'verdict in your portfolios changed',
    several: 'verdicts in your portfolios changed',
    path: 'portfolios',
  },
  screening_running: { tone: 'plain', one: 'screening runs', several: 'screenings run', path: 'portfolios' },
  screening_stopped: {
    tone: 'bad',
    one: 'screening stopped before its end',
    several: 'screenings stopped before their end',
    path: 'portfolios',
  },
  check_running: { tone: 'plain', one: 'check runs', several: 'checks run', path: 'checks' },
}

function needLine({ kind, count, ref }: Need): Html {
  const { tone, one, several, path } = kinds[kind]
  const text = `${number(count)} ${count === 1 ? one : several}`
  const address = ref !== null ? `/dashboard/${path}/${ref}` : path === 'checks' ? null : `/dashboard/${path}`
  return html`<li>${badge(tone, text)} ${address && html`<a href="${address}">Open</a>`}</li>`
}

/** Says what waits for a person. The log of requests is on the page of usage. */
function needs({ needs: of }: Overview, view: View): Html {
  return html`<section aria-labelledby="needs"><h2 id="needs">What needs you</h2>
${of.length > 0 ? html`<ul class="found">${of.map(needLine)}</ul>` : html`<p>Nothing waits for you.</p>`}
<p><a href="/dashboard/usage">All requests</a>${
    view.may('search_everything') && html`, <a href="/dashboard/search">what was looked up lately</a>`
  }</p></section>`
}

export const overviewPage: Page<Overview> = {
  title: 'Overview',
  body: (overview, view) => html`${balance(overview)}
${needs(overview, view)}
${
  overview.saved.length > 0 &&
  html`<section aria-labelledby="saved"><h2 id="saved">Saved searches and followed Companies</h2>
${savedPages(overview.saved)}</section>`
}
${view.may('search_everything') && start(overview, view)}`,
}

function lasts(days: number): string {
  if (days > 730) return 'more than two years'
  return days < 1 ? 'less than a day' : days === 1 ? 'a day' : `${number(days)} days`
}

function balance({ account, spend_days: days, credits_spent: spent, days_left: left }: Overview): Html {
  const hasQuota = account.credits_granted !== null
  return figureList([
    hasQuota
      ? {
          name: 'Available',
          value: number(account.available_credits),
          unit: 'credits',
          hint:
            account.available_credits > 0
              ? left !== null && `At the present rate it lasts ${lasts(left)}.`
              : 'Paid requests are refused with 429.',
        }
      : { name: 'Available', value: 'no quota' },
    { name: `Spent in ${days} days`, value: number(spent) },
    { name: 'Used in all', value: number(account.credits_used) },
    { name: 'Reserved', value: number(account.credits_reserved), hint: 'For running exports and checks.' },
    ...(hasQuota ? [{ name: 'Granted', value: number(account.credits_granted ?? 0) }] : []),
  ])
}

/** Shows the first steps, until the account has a key and has sent a request. */
function start(overview: Overview, view: View): Html {
  const { key, has_requests: hasRequests } = overview
  const seesKeys = view.may('list_keys')
  const isNew = !hasRequests || (seesKeys && key === null)
  const command = copyable(`curl -H 'X-API-Key: YOUR_KEY' '${view.baseUrl}/v1/account'`, 'curl command')
  if (!isNew)
    return html`<section aria-labelledby="try"><h2 id="try">Send a request</h2>
${key && html`<p>With a key, such as ${keyName(key)}:</p>`}
${command}</section>`
  const getKey = !seesKeys
    ? 'Ask an owner of the account for a key.'
    : key === null
      ? html`<a href="/dashboard/keys">Create a key</a> for the program that will send requests.`
      : html`Take a key, such as ${keyName(key)}. It was shown once: if nobody has copied it,
<a href="/dashboard/keys">create another</a>.`
  return html`<section aria-labelledby="try"><h2 id="try">First steps</h2>
<ol>
<li>${getKey}</li>
<li>Send a request that costs nothing:${command}</li>
<li>Look at <a href="/dashboard/usage">usage</a>: each request appears there with what it cost.</li>
</ol>
<p>Without a program, <a href="/dashboard/domains">look a site up here</a>.</p></section>`
}

const keyName = ({ name, last_four }: NonNullable<Overview['key']>) =>
  html`${name === null ? 'one without a name' : html`“<bdi>${name}</bdi>”`} <code>…${last_four}</code>`
