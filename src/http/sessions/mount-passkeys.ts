import type { FastifyInstance } from 'fastify'
import { Failure } from '../../core/failure.ts'
import { offerSignIn, signInByPasskey } from '../../features/passkeys/index.ts'
import { browserName } from '../../features/sessions/index.ts'
import { okEnvelope } from '../answer/envelope.ts'
import type { Service } from '../service.ts'
import { refuseTooMany } from '../throttle.ts'
import { nextOf } from './prepare-pages.ts'
import { sessionIdOf, setSessionCookie } from './session-cookie.ts'
import type { CountSignIn } from './throttle-sign-in.ts'

/** Mounts `/sign-in/passkey` in the scope of the other ways to sign in. */
export function mountPasskeys(scope: FastifyInstance, service: Service, count: CountSignIn): void {
  const { live, settings, now } = service
  const { baseUrl } = settings

  scope.post('/sign-in/passkey/offer', async (request, reply) => {
    const tooMany = await count.byIp(request)
    if (tooMany !== null) return reply.send(refuseTooMany(reply, tooMany))
    const options = await offerSignIn(live.database, { baseUrl, now: now() })
    if (options === null) throw new Failure('route_not_found')
    return reply.send(okEnvelope({ options }, now()))
  })

  scope.post('/sign-in/passkey', async (request, reply) => {
    const response = (request.body as { response?: unknown } | undefined)?.response
    const replacedId = sessionIdOf(request, baseUrl)
    const answered = {
      baseUrl,
      response: typeof response === 'string' ? response : '',
      replacedId,
      browser: browserName(request.headers['user-agent']),
      now: now(),
    }
    const id = await signInByPasskey(live.database, answered)
    if (id === null)
      throw new Failure('not_found', {
        message: 'This passkey is not known here, or its answer came too late. Try again, or use a link.',
      })
    setSessionCookie(reply, baseUrl, id)
    return reply.redirect(nextOf(request) ?? '/dashboard', 303)
  })
}
