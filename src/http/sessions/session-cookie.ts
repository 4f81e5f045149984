import type { FastifyReply, FastifyRequest } from 'fastify'
import { sessionHours, sessionIdPattern } from '../../features/sessions/index.ts'

type Cookie = { name: string; secure: boolean }

/** With https the browser binds the cookie to this host; plain http has no such names. */
function cookieOf(baseUrl: string): Cookie {
  const secure = baseUrl.startsWith('https:')
  return { name: secure ? '__Host-baize_session' : 'baize_session', secure }
}

/** null: none was sent, or something else by its name. */
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
