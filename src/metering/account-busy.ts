import { Failure } from '../core/failure.ts'

/** The Retry-After in seconds after a busy account or a lost connection. */
export const busyRetryAfterSeconds = 1

/** Another transaction has locked the account's balance. */
export const accountBusy = () =>
  new Failure('service_unavailable', {
    message: 'The account is busy; nothing was charged. Try again.',
    retryAfterSeconds: busyRetryAfterSeconds,
  })
