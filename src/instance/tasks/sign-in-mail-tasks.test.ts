import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../../../test/harness/eventually.ts'
import { type MailServer, startMailServer } from '../../../test/harness/mail-server.ts'
import { startService, type TestService } from '../../../test/harness/service.ts'
import { signIn } from '../../../test/harness/sign-in.ts'
import { createLogger } from '../../config/logger.ts'
import { linkMailTask } from '../../features/sessions/index.ts'
import { addJob, type JobOutcome, listJobs, startWorker, type Worker } from '../../jobs/index.ts'
import { mailSignInLinks } from './sign-in-mail-tasks.ts'

let service: TestService
let mailServer: MailServer
const closing: (() => Promise<unknown>)[] = []
let outcomes: JobOutcome[] = []

beforeAll(async () => {
  service = await startService({ mailFrom: 'Baize <baize@mail.test>' })
  mailServer = await startMailServer()
})
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
  outcomes = []
})
afterAll(async () => {
  await mailServer.close()
  await service.close()
})

async function work(smtpUrl: string | null = mailServer.url): Promise<Worker> {
  const worker = await startWorker({
    connection: service.database.connection,
    tasks: [
      mailSignInLinks({
        mail: smtpUrl === null ? null : { smtpUrl, from: 'Baize <baize@mail.test>' },
        baseUrl: 'https://baize.test',
        now: service.service.now,
        retryAfterMs: 1,
      }),
    ],
    log: createLogger('silent'),
    onOutcome: (_task, outcome) => outcomes.push(outcome),
  })
  closing.push(() => worker.stop())
  return worker
}

async function queue(email: string): Promise<void> {
  await addJob(service.service.live.database, {
    task: linkMailTask.name,
    payload: { email, next: null },
    key: email,
    attemptsMax: 2,
    delayMs: 0,
  })
}

const jobs = () => listJobs(service.service.live.database)
const isDone = () => eventually('the queue is empty', async () => (await jobs()).length === 0)

describe('the mail with a sign-in link', () => {
  test('the mail with a link goes only to the user, and names the user and the next page', async () => {
    const { email } = await signIn(service, {})
    await work()
    const asked = await service.ask('/sign-in', {
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'sec-fetch-site': 'same-origin',
      },
      body: new URLSearchParams({ email, next: '/dashboard/usage?status=200' }).toString(),
    })
    expect(asked.status).toBe(200)
    const link = await mailServer.linkTo(email)
    expect(link).toMatch(/^\/sign-in\/[0-9A-Za-z]{43}\?next=%2Fdashboard%2Fusage%3Fstatus%3D200$/)
    const mail = mailServer.mails.at(-1)
    expect([mail?.to, mail?.from]).toEqual([[email], 'baize@mail.test'])
    expect(mail?.text).toContain(`https://baize.test${link}`)
    expect(mail?.text).toContain('From: Baize <baize@mail.test>')
    expect((await service.ask(link, { headers: { accept: 'text/html' } })).text).toContain(email)
    await isDone()
    expect(outcomes).toEqual(['done'])
  })

  test('an unknown address gets no mail, and leaves no job behind', async () => {
    const before = mailServer.mails.length
    await work()
    await queue('stranger@baize.test')
    await isDone()
    expect([outcomes, mailServer.mails.length]).toEqual([['done'], before])
  })

  test('the mail with a link is sent again when the mail server is reachable', async () => {
    const { email } = await signIn(service, {})
    let isAway = true
    const away = await startMailServer({
      onConnect: (_session, done) => done(isAway ? new Error('try again later') : null),
    })
    closing.unshift(() => away.close())
    await work(away.url)
    await queue(email)
    await eventually('the first attempt fails', () => outcomes.includes('retried'))
    isAway = false
    await away.linkTo(email)
    await isDone()
    expect(outcomes).toEqual(['retried', 'done'])
  })

  test('a mail that fails at each attempt is given up, and the stored reason has no password', async () => {
    const { email } = await signIn(service, {})
    const gone = await startMailServer()
    await gone.close()
    await work(gone.url.replace('smtp://', 'smtp://user:s3cret@'))
    await queue(email)
    await eventually('the job has failed', () => outcomes.includes('failed'))
    const job = await eventually('the job is listed', async () =>
      (await jobs()).find(each => each.state === 'failed'),
    )
    expect(job?.last_error).toContain('ECONNREFUSED')
    expect(JSON.stringify(job)).not.toContain('s3cret')
    const staff = await signIn(service, { isStaff: true })
    const { mail_failures: failures } = (await staff.read('/dashboard/staff/accounts')).body.data
    expect(failures).toMatchObject({ failed: 1, retrying: 0 })
    expect((await staff.get('/dashboard/staff/accounts')).text).toContain(failures.last_error)
    const visitor = await service.ask('/sign-in', { headers: { accept: 'text/html' } })
    expect(visitor.text).not.toContain('ECONNREFUSED')
  })

  test('the mail with a link is sent with the user and password of the URL, decoded', async () => {
    const { email } = await signIn(service, {})
    const seen: unknown[] = []
    const server = await startMailServer({
      authOptional: false,
      allowInsecureAuth: true,
      onAuth: ({ username, password }, _session, done) => {
        seen.push(username, password)
        done(null, { user: username })
      },
    })
    closing.unshift(() => server.close())
    await work(server.url.replace('smtp://', 'smtp://baize%40mail.test:a%2Fb%3Ac@'))
    await queue(email)
    await server.linkTo(email)
    expect(seen).toEqual(['baize@mail.test', 'a/b:c'])
  })

  test('a mail with requireTLS is not sent to a server without TLS', async () => {
    const { email } = await signIn(service, {})
    const before = mailServer.mails.length
    await work(`${mailServer.url}?requireTLS=true`)
    await queue(email)
    await eventually('the job has failed', () => outcomes.includes('failed'))
    expect(mailServer.mails.length).toBe(before)
  })

  test('a worker without a mail server fails the job, so that another worker can send the mail', async () => {
    const { email } = await signIn(service, {})
    await work(null)
    await queue(email)
    await eventually('the first attempt fails', () => outcomes.length > 0)
    expect(outcomes[0]).toBe('retried')
  })
})
