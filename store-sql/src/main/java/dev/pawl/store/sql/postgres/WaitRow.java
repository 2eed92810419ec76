package dev.pawl.store.sql.postgres;

import dev.pawl.log.Wait;
import dev.pawl.store.Mail;
import dev.pawl.store.sql.MailRow;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** A wait as a row. Any number of children is one row, and timers are none. */
record WaitRow(String kind, String name, long after) {
  static final String TOPIC = "topic";

  static Set<WaitRow> of(List<Wait> waits) {
    Set<WaitRow> rows = new LinkedHashSet<>();
    for (Wait wait : waits) {
      switch (wait) {
        case Wait.Signal signal -> rows.add(new WaitRow(MailRow.SIGNAL, signal.name(), 0));
        case Wait.Topic topic -> rows.add(new WaitRow(TOPIC, topic.topic(), topic.after()));
        case Wait.Child child -> rows.add(new WaitRow(MailRow.CHILD, "", 0));
        case Wait.Timer timer -> {}
        case Wait.Operator operator -> {}
      }
    }
    return rows;
  }

  boolean isTopic() {
    return kind.equals(TOPIC);
  }

  /** Whether the message is what is waited for. */
  boolean isAnsweredBy(Mail mail) {
    return kind.equals(MailRow.kind(mail)) && name.equals(MailRow.name(mail));
  }
}
