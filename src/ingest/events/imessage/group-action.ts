import type { MessageRow } from './message-row.ts'

export interface GroupAction {
  readonly type: string
  readonly text: string
  /** The affected person, if not the actor. */
  readonly whom?: string
  readonly title?: string
}

export function groupAction(row: MessageRow, who: string, whom: string | undefined): GroupAction | undefined {
  const { item_type, group_action_type, group_title, share_status } = row
  const other = whom ?? 'somebody'
  switch (item_type) {
    case 1:
      return group_action_type === 1
        ? { type: 'member_removed', text: `${who} removed ${other} from the conversation`, whom: other }
        : { type: 'member_added', text: `${who} added ${other} to the conversation`, whom: other }
    case 2:
      return group_title
        ? { type: 'renamed', text: `${who} named the conversation “${group_title}”`, title: group_title }
        : { type: 'renamed', text: `${who} removed the name from the conversation` }
    case 3:
      if (group_action_type === 1) return { type: 'photo_changed', text: `${who} changed the group photo` }
      if (group_action_type === 2) return { type: 'photo_removed', text: `${who} removed the group photo` }
      return group_action_type === 0 || group_action_type === null ? { type: 'left', text: `${who} left the conversation` } : undefined
    case 4:
      return share_status === 1
        ? { type: 'location_stopped', text: `${who} stopped sharing location` }
        : { type: 'location_shared', text: `${who} started sharing location` }
    case 5:
      return { type: 'audio_kept', text: `${who} kept an audio message` }
    case 6:
      return { type: 'call', text: `${who} started a FaceTime or SharePlay session` }
    default:
      return undefined
  }
}
