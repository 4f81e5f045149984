/** Staff asked for something that cannot be done; the message is for them. */
export class StaffError extends Error {
  override readonly name = 'StaffError'
}
