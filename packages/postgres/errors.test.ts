import { expect, test } from 'vitest'
import { isConnectionLoss, neverReached } from './errors.ts'

const coded = (code: string, message = '') => Object.assign(new Error(message), { code })

test.each([
  ['nobody listens', coded('ECONNREFUSED'), { isLoss: true, isNever: true }],
  ['the socket file is gone', coded('ENOENT'), { isLoss: true, isNever: true }],
  ['the name is unknown', coded('ENOTFOUND'), { isLoss: true, isNever: true }],
  ['the name has no address now', coded('EAI_AGAIN'), { isLoss: true, isNever: true }],
  ['there is no way to the network', coded('ENETUNREACH'), { isLoss: true, isNever: false }],
  ['the connection was cut off', coded('ECONNRESET'), { isLoss: true, isNever: false }],
  ['the server is starting', coded('57P03'), { isLoss: true, isNever: true }],
  ['the server is shutting down', coded('57P01'), { isLoss: true, isNever: false }],
  ['the server has no connection left', coded('53300'), { isLoss: true, isNever: true }],
  ['the server became a standby', coded('25006'), { isLoss: true, isNever: true }],
  ['the server did not answer', new Error('Query read timeout'), { isLoss: true, isNever: false }],
  [
    'the pool gave up on a new connection',
    new Error('Connection terminated due to connection timeout'),
    { isLoss: true, isNever: true },
  ],
  ['the connection ended', new Error('Connection terminated unexpectedly'), { isLoss: true, isNever: false }],
  ['the statement took too long', coded('57014'), { isLoss: false, isNever: false }],
  ['a constraint was violated', coded('23505'), { isLoss: false, isNever: false }],
])('lost, unreached and rejected statements are distinguished: %s', (_, error, { isLoss, isNever }) => {
  expect([isConnectionLoss(error), neverReached(error)]).toEqual([isLoss, isNever])
})
