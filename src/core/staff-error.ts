/** An operator's command that cannot be carried out; the message is printed as it is. */
export class StaffError extends Error {
  override readonly name = 'StaffError'
}
