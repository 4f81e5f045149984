/** Both ends included, in UTC. */
export type Days = { from: string; to: string }

export type DayClauses = {
  variant: string
  ofSignal: string
  ofDay: string
  ofMonth: string
  days: unknown[]
  months: unknown[]
}

export function dayClauses(days: Days | null, valuesBefore: number): DayClauses {
  if (days === null) return { variant: '', ofSignal: '', ofDay: '', ofMonth: '', days: [], months: [] }
  const value = (nth: number) => `$${valuesBefore + nth}::date`
  const [from, to, firstMonth, endOfMonths] = [value(1), value(2), value(3), value(4)]
  const whole = wholeMonths(days)
  return {
    variant: '_days',
    ofSignal: `and signals.occurred_at >= ${from}::timestamp at time zone 'UTC'
            and signals.occurred_at < (${to} + 1)::timestamp at time zone 'UTC'`,
    ofDay: `and (counted.day >= ${from} and counted.day < ${firstMonth}
                 or counted.day >= ${endOfMonths} and counted.day <= ${to})`,
    ofMonth: `and counted.month >= ${firstMonth} and counted.month < ${endOfMonths}`,
    days: [days.from, days.to],
    months: [whole.from, whole.to],
  }
}

/** `to` is excluded. Without a whole month, both ends are the day after the range. */
export function wholeMonths({ from, to }: Days): Days {
  const end = new Date(`${to}T00:00:00Z`)
  end.setUTCDate(end.getUTCDate() + 1)
  const dayAfter = dateOf(end)
  const first = new Date(`${from}T00:00:00Z`)
  if (first.getUTCDate() > 1) first.setUTCMonth(first.getUTCMonth() + 1, 1)
  end.setUTCDate(1)
  return first < end ? { from: dateOf(first), to: dateOf(end) } : { from: dayAfter, to: dayAfter }
}

const dateOf = (moment: Date) => moment.toISOString().slice(0, 10)
