/** An operator's command that cannot be carried out. The command prints the message unchanged. */
export class StaffError extends Error {
  override readonly name = 'StaffError'
}
