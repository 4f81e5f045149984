import { createHmac } from 'node:crypto'
import { plural } from '@baize/names'
import { checkTarget, fetchPage, type MailSettings, type NetworkSettings, sendMail } from '@baize/outbound'
import {
  claimDue,
  countChanges,
  type DueNotice,
  isMember,
  type Message,
  type Outcome,
  storeOutcome,
} from '../../features/portfolios/index.ts'
import type { Task, TaskContext } from '../../jobs/index.ts'
import { recurring } from './recurring-task.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const disabledAfterMs = 72 * hourMs
const webhookTimeoutMs = 5_000
const answerBytesMax = 4_096
const sentAtOnce = 10
const roundsMax = 20
const leaseMs = 10 * minuteMs
/** The pauses after failed attempts, in minutes: 8 attempts over a day. */
const pausesMinutes = [1, 5, 15, 60, 180, 360, 600]
const pauseAfterMessageMinutes = 240
const userAgent = 'Baize (changes of a portfolio)'

type Options = { mail: MailSettings | null; baseUrl: string; network: NetworkSettings; now: () => Date }

/** Each minute, counts new changes of portfolios and sends the messages that are due. */
export const notifyPortfolios = (options: Options): Task =>
  recurring('notify_portfolios', async context => {
    const { database } = context.world
    while (!(await countChanges(database)) && !context.signal.aborted);
    for (let round = 0; round < roundsMax && !context.signal.aborted; round += 1) {
      const now = options.now()
      const leasedUntil = new Date(now.getTime() + leaseMs)
      const due = await claimDue(database, { now, leasedUntil, limit: sentAtOnce })
      await Promise.all(due.map(notice => attempt(options, context, notice)))
      if (due.length < sentAtOnce) return
    }
  })

async function attempt(options: Options, context: TaskContext, notice: DueNotice): Promise<void> {
  const outcome =
    notice.channel === 'email'
      ? await byMail(options, context, notice)
      : await byWebhook(options, context, notice)
  const now = options.now()
  await storeOutcome(context.world.database, notice, judge(notice, outcome, now), now)
}

/** Decides what follows from an outcome. A message that failed 8 times is followed by a new one. */
function judge({ attempts: before, failing_since: since }: DueNotice, outcome: string, now: Date): Outcome {
  const after = (ms: number) => new Date(now.getTime() + ms)
  if (outcome === 'delivered')
    return {
      outcome,
      isDelivered: true,
      attempts: 0,
      isSameMessage: false,
      nextAt: after(hourMs),
      isDisabled: false,
    }
  const pause = pausesMinutes[before]
  const isSameMessage = pause !== undefined
  return {
    outcome,
    isDelivered: false,
    attempts: isSameMessage ? before + 1 : 0,
    isSameMessage,
    nextAt: after((pause ?? pauseAfterMessageMinutes) * minuteMs * (1 + Math.random() / 10)),
    isDisabled: isFinal.has(outcome) || now.getTime() - (since ?? now).getTime() >= disabledAfterMs,
  }
}

const isFinal = new Set(['status 410', 'not a member'])

async function byMail(
  { mail, baseUrl }: Options,
  { world }: TaskContext,
  notice: DueNotice,
): Promise<string> {
  const { target: to, message } = notice
  if (!(await isMember(world.database, notice.account_id, to))) return 'not a member'
  if (mail === null) return 'no mail server'
  const { portfolio, changes } = message
  const subject = `${changes} new ${plural(changes, 'change')} in your portfolio ${portfolio}`
  const text = `${subject}.\n\n${baseUrl}/dashboard/portfolios/${portfolio}\n`
  return sendMail(mail, { to, subject, text }).then(
    () => 'delivered',
    () => 'mail server failed',
  )
}

/** Sends a Standard Webhook. Redirects are not followed, and plain http is for allowed hosts alone. */
async function byWebhook(
  { network, now }: Options,
  { signal }: TaskContext,
  notice: DueNotice,
): Promise<string> {
  const { target: url, secret, message } = notice
  try {
    const { url: parsed, isAllowedHost } = checkTarget(url, network.allowedHosts)
    if (parsed.protocol === 'http:' && !isAllowedHost) return 'not https'
  } catch {
    return 'refused address'
  }
  const post = signed(message, secret ?? Buffer.alloc(0), now())
  const request = { url, userAgent, timeoutMs: webhookTimeoutMs, bytesMax: answerBytesMax, signal, post }
  const page = await fetchPage(request, network)
  if ('failure' in page) return page.failure.reason
  return page.status >= 200 && page.status < 300 ? 'delivered' : `status ${page.status}`
}

/** Signs a message as Standard Webhooks 1.0 do: HMAC-SHA256 of id, time and body. */
function signed({ id, ...message }: Message, secret: Buffer, now: Date) {
  const body = JSON.stringify(message)
  const timestamp = String(Math.floor(now.getTime() / 1_000))
  const signature = createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64')
  return {
    body,
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${signature}`,
    },
  }
}
