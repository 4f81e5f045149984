import type { FastifyRequest } from 'fastify'
import type { Session } from '../../core/session-operation.ts'
import { findSession } from '../../features/sessions/index.ts'
import type { Service } from '../service.ts'
import { sessionIdOf } from './session-cookie.ts'

/** null: nobody is signed in. */
export async function currentSession(service: Service, request: FastifyRequest): Promise<Session | null> {
  const id = sessionIdOf(request, service.settings.baseUrl)
  return id === null ? null : findSession(service.live.database, id, service.now())
}
