import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Session } from '../../core/session-operation.ts'
import { findSession, sessionHours, sessionIdPattern } from '../../features/sessions/index.ts'
import type { Service } from '../service.ts'

type Cookie = { name: string; secure: boolean }

/**
 * Returns the cookie's name and options. With https the browser binds it to this host; plain http has no
 * such names.
 */
function cookieOf(baseUrl: string): Cookie {
  const secure = baseUrl.startsWith('https:')
  return { name: secure ? '__Host-baize_session' : 'baize_session', secure }
}

/** Returns null if no cookie was sent, or one with an invalid value. */
export function sessionIdOf(request: FastifyRequest, baseUrl: string): string | null {
  const id = request.cookies[cookieOf(baseUrl).name]
  return id !== undefined && sessionIdPattern.test(id) ? id : null
}

export function setSessionCookie(reply: FastifyReply, baseUrl: string, id: string): void {
  const { name, secure } = cookieOf(baseUrl)
  reply.setCookie(name, id, {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure,
    maxAge: sessionHours.longest * 3_600,
  })
}

export function clearSessionCookie(reply: FastifyReply, baseUrl: string): void {
  const { name, secure } = cookieOf(baseUrl)
  reply.clearCookie(name, { path: '/', httpOnly: true, sameSite: 'lax', secure })
}

/** Returns null if nobody is signed in. */
export async function currentSession(service: Service, request: FastifyRequest): Promise<Session | null> {
  const id = sessionIdOf(request, service.settings.baseUrl)
  return id === null ? null : findSession(service.live.database, id, service.now())
}
