import { StaffError } from '../../core/staff-error.ts'

const reasonCharactersMax = 2_000

/** Trims the reason. Throws a StaffError if it is empty or too long. */
export function staffReason(written: string, of: 'an approval' | 'a discard'): string {
  const reason = written.trim()
  if (reason === '' || reason.length > reasonCharactersMax)
    throw new StaffError(`The reason of ${of} must have 1 to ${reasonCharactersMax} characters.`)
  return reason
}
