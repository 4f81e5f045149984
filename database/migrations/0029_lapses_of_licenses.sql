-- A verdict that changed because a license ended belongs to the event that recorded the end, not to the one
-- before.
update verdict_changes change
   set event = lapse.number
  from dataset_events earlier
  join dataset_events lapse on lapse.number = earlier.number + 1 and lapse.kind in ('lapse', 'check')
 where change.event = earlier.number
   and change.cause = 'register'
   and not change.is_correction
   and change.detected_at <> earlier.at;
