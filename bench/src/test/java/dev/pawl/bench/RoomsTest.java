package dev.pawl.bench;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** What the rooms of the bench may see of each other. The rules of the house do not reach here. */
class RoomsTest {
  private static final JavaClasses BENCH =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("dev.pawl.bench");

  @Test
  void packagesHaveNoCycles() {
    slices().matching("dev.pawl.(bench..)").should().beFreeOfCycles().check(BENCH);
  }

  @Test
  void onlyTheAdaptersSeeTheEngines() {
    noClasses()
        .that()
        .resideOutsideOfPackage("dev.pawl.bench.peers")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "dev.dbos..", "com.github.kagkarlsson..", "org.jobrunr..", "io.temporal..")
        .check(BENCH);
  }

  @Test
  void aReportStartsNothing() {
    noClasses()
        .that()
        .resideInAPackage("dev.pawl.bench.report")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("dev.pawl.bench.host", "dev.pawl.bench.peers", "dev.pawl.bench.machine")
        .check(BENCH);
  }
}
